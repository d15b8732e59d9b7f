import fc from 'fast-check';
import { fold, head } from './fold.js';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

describe('fold', () => {
  it('has Latin letters as people look for them', () => {
    expect(fold('Łódź, Đà Straße Øre')).toBe('lodz, da strasse ore');
  });

  it.each([
    ['Čas & Práce', 'cas & prace'],
    ['ÅNGSTRÖM', 'angstrom'],
    ['ﬁne ①', 'fine 1'],
    ['e\u0301', 'e'],
    ['ΣΊΣΥΦΟΣ', 'σισυφος'],
  ])('compares %p as %p', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('makes no difference between composed and decomposed, upper and lower case', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(text.normalize('NFC'))).toBe(fold(text.normalize('NFD')));
      }),
    );
    expect(fold('ÉCOLE')).toBe(fold('école'));
  });
});

describe('head', () => {
  it('cuts between characters and never leaves half of one', () => {
    expect(head('🙂🙂🙂', 2)).toBe('🙂🙂');
    expect(head('ab cd', 3)).toBe('ab');
    expect(head('short', 10)).toBe('short');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 0, max: 50 }), (text, length) => {
        const cut = head(text, length);
        expect(text.startsWith(cut)).toBe(true);
        expect(Array.from(cut).length).toBeLessThanOrEqual(length);
        expect(cut.isWellFormed()).toBe(text.isWellFormed());
        expect(cut).toBe(cut.trimEnd());
      }),
    );
  });
});
