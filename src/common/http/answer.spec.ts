import fc from 'fast-check';
import { contentTag, holds } from './answer.js';

describe('If-None-Match', () => {
  it.each([
    ['"7"', true],
    ['W/"7"', true],
    ['"1", "7"', true],
    ['"1","7" ,W/"9"', true],
    ['*', true],
    ['"8"', false],
    ['7', false],
    ['"77"', false],
    ['w/"7"', false],
    ['', false],
    [undefined, false],
  ])('%p holds "7": %p', (header, isHeld) => {
    expect(holds(header, '"7"')).toBe(isHeld);
  });

  it('finds a validator among others wherever it stands', () => {
    const tag = fc.stringMatching(/^"[\x21\x23-\x2b\x2d-\x7e]{0,20}"$/);
    fc.assert(
      fc.property(fc.array(tag), tag, fc.array(tag), fc.boolean(), (before, own, after, isWeak) => {
        const header = [...before, isWeak ? `W/${own}` : own, ...after].join(', ');
        expect(holds(header, own)).toBe(true);
        expect(holds([...before, ...after].filter((other) => other !== own).join(', '), own)).toBe(false);
      }),
    );
  });
});

describe('contentTag', () => {
  it('is the same for the same bytes, another one for others, and fit for a header', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        const [first, second] = [contentTag(Buffer.from(one)), contentTag(Buffer.from(two))];
        expect(first).toMatch(/^"[\w-]{27}"$/);
        expect(first === second).toBe(one === two);
      }),
    );
  });
});
