import fc from 'fast-check';
import { indexText } from './comparisons.js';

describe('Texts in the side index', () => {
  it('are cut by characters, never through one, and without spaces at the end', () => {
    expect(indexText('ab  ')).toBe('ab');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        const cut = indexText(text);

        expect(Array.from(cut).length).toBeLessThanOrEqual(191);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
