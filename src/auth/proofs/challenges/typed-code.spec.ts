import { typedCode } from './typed-code.js';

describe('A code that is typed', () => {
  it.each([
    ['123456', 'as it is'],
    ['１２３４５６', 'full-width'],
    ['١٢٣٤٥٦', 'Arabic-Indic'],
    ['۱۲۳۴۵۶', 'Persian'],
    ['१२३४५६', 'Devanagari'],
    ['𝟏𝟐𝟑𝟒𝟓𝟔', 'mathematical'],
    ['123–456', 'with an en dash'],
    ['123—456', 'with an em dash'],
    ['123−456', 'with a minus'],
    ['１２３ー４５６', 'with the long vowel of a Japanese keyboard'],
    ['\u200b123\u2060456\ufeff', 'with signs of no width'],
    [' 1 2\u00a03\u20094\u30005\t6\r\n', 'with blanks'],
  ])('is read as the digits meant: %j (%s)', (text) => {
    expect(typedCode(text)).toBe('123456');
  });

  it.each(['12345六', '12345a', '123.456', '123456!', 'I23456'])('is none otherwise: %j', (text) => {
    expect(typedCode(text)).not.toMatch(/^[0-9]{6}$/);
  });
});
