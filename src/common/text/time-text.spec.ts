import fc from 'fast-check';
import { timeText } from './time-text.js';

const LAST = 8.64e15;

describe('timeText', () => {
  it('writes every time as a date does, whatever was written before it', () => {
    const near = fc.integer({ min: 1_790_000_000_000 - 200_000_000, max: 1_790_000_000_000 });
    const any = fc.integer({ min: -LAST, max: LAST });

    fc.assert(
      fc.property(fc.array(fc.oneof(near, any), { minLength: 1 }), (times) => {
        expect(times.map(timeText)).toEqual(times.map((at) => new Date(at).toISOString()));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([0, -1, 1, 86_399_999, 86_400_000, -86_400_000, 253_402_300_800_000, -62_167_219_200_001, LAST, -LAST])(
    'writes the limit %d as a date does',
    (at) => {
      expect(timeText(at)).toBe(new Date(at).toISOString());
    },
  );

  it.each([LAST + 1, -LAST - 1, NaN, Infinity, 1.5, 'abc', Buffer.from('5'), null])(
    'writes %p as 1970, and goes on',
    (odd) => {
      expect(timeText(odd as number)).toBe('1970-01-01T00:00:00.000Z');
      expect(timeText(5)).toBe('1970-01-01T00:00:00.005Z');
    },
  );
});
