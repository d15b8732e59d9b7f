import { lengthFault, mayBeStored } from './passwords.js';

/** One code point that NFKC makes three of. */
const LIGATURE = '\ufb03';
/** Two code points that NFKC makes one of. */
const APART = 'e\u0301';
const RULE = 'must have 12 to 256 characters';

describe('The length of a new password', () => {
  it.each([
    ['12 characters', 'x'.repeat(12)],
    ['256 characters', 'x'.repeat(256)],
    ['12 characters of two code units each', '\u{1f511}'.repeat(12)],
    ['256 characters of two code units each', '\u{1f511}'.repeat(256)],
    ['4 ligatures that stand for 12 letters', LIGATURE.repeat(4)],
    ['256 letters with their accents apart', APART.repeat(256)],
  ])('fits with %s', (_, password) => {
    expect(lengthFault(password)).toBeNull();
  });

  it.each([
    ['11 characters', 'x'.repeat(11), `${RULE}.`],
    ['257 characters', 'x'.repeat(257), `${RULE}.`],
    ['6 characters of two code units each', '\u{1f511}'.repeat(6), `${RULE}.`],
    ['more than is looked at', APART.repeat(2_000), `${RULE}.`],
    [
      '12 code points that are 6 letters',
      APART.repeat(6),
      `${RULE}, and has 6 in the form that counts (Unicode NFKC).`,
    ],
    [
      '100 ligatures that stand for 300 letters',
      LIGATURE.repeat(100),
      `${RULE}, and has 300 in the form that counts (Unicode NFKC).`,
    ],
  ])('does not fit with %s', (_, password, fault) => {
    expect(lengthFault(password)).toBe(fault);
  });
});

describe('A stored password', () => {
  it.each([
    ['one character', 'x', true],
    ['256 ligatures, which were counted as typed', LIGATURE.repeat(256), true],
    ['256 letters with their accents apart', APART.repeat(256), true],
    ['no character', '', false],
    ['257 characters', 'x'.repeat(257), false],
  ])('may have %s: %#', (_, password, expected) => {
    expect(mayBeStored(password)).toBe(expected);
  });
});
