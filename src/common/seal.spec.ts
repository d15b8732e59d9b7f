import { seal, unsealWithAny } from './seal.js';

const TEXT = JSON.stringify({ to: 'ann@example.com', subject: 'Grüße', code: '048213' });
const KEY = Buffer.alloc(32, 'a');
const OTHER = Buffer.alloc(32, 'b');

describe('A seal', () => {
  it('hides all of a text, and gives it back by whichever key it was made with', () => {
    const sealed = seal(KEY, TEXT);

    expect(sealed.toString('latin1')).not.toMatch(/048213|ann|example|subject/);
    expect(unsealWithAny([KEY], sealed)).toBe(TEXT);
    expect(unsealWithAny([OTHER, KEY], sealed)).toBe(TEXT);
  });

  it('looks different each time', () => {
    expect(seal(KEY, TEXT).equals(seal(KEY, TEXT))).toBe(false);
  });

  it('is of no use with another key, and in another context', () => {
    expect(unsealWithAny([OTHER], seal(KEY, TEXT))).toBeNull();
    expect(unsealWithAny([KEY], seal(KEY, TEXT, 'here'), 'there')).toBeNull();
  });

  it('shows every change, and what is no seal at all', () => {
    const sealed = seal(KEY, TEXT);
    for (const at of [0, 12, 27, 28, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(unsealWithAny([KEY], changed)).toBeNull();
    }
    for (const length of [0, 11, 12, 20, 28]) expect(unsealWithAny([KEY], sealed.subarray(0, length))).toBeNull();
  });
});
