import { aField } from '../../../test/support/content-types.js';
import type { Field } from '../kinds/field.js';
import { needsBuild } from './type-changes.js';

const field = (rules: Partial<Field>): Field => aField({ name: 'a', type: 'string', indexed: true, ...rules });

describe('The side index of a field that changes its kind', () => {
  it.each([
    ['email', 'string'],
    ['enum', 'markdown'],
    ['integer', 'number'],
    ['date', 'datetime'],
  ] as const)('keeps its rows from %s to %s, which are held alike', (from, to) => {
    expect(needsBuild({ before: field({ type: from }), after: field({ type: to }), position: 0 })).toBe(false);
  });

  it.each([
    ['integer', 'string'],
    ['date', 'string'],
    ['string', 'number'],
  ] as const)('is built anew from %s to %s, which are held otherwise', (from, to) => {
    expect(needsBuild({ before: field({ type: from }), after: field({ type: to }), position: 0 })).toBe(true);
  });

  it('is built anew for a list whose items are held otherwise', () => {
    const [before, after] = [field({ type: 'list', of: 'integer' }), field({ type: 'list', of: 'string' })];

    expect(needsBuild({ before, after, position: 0 })).toBe(true);
  });

  it('is not built for a field without rows', () => {
    const after = field({ type: 'string', indexed: false });

    expect(needsBuild({ before: field({ type: 'integer' }), after, position: 0 })).toBe(false);
  });
});
