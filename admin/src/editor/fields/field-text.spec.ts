import { inputText, valueOfText } from './field-text.js';

describe('valueOfText', () => {
  it.each([
    ['integer', '42', 42],
    ['number', '2,5', 2.5],
    ['number', '-1e3', -1_000],
    ['boolean', 'false', false],
    ['date', '2026-01-30', '2026-01-30'],
    ['string', ' blank ', ' blank '],
    ['string', '', null],
    ['integer', '', null],
  ])('reads %s %p as %p', (kind, text, value) => {
    expect(valueOfText(kind, text)).toEqual({ isValid: true, value });
  });

  it.each([
    ['integer', '2.5'],
    ['integer', '9007199254740993'],
    ['number', 'many'],
    ['number', ' '],
  ])('takes no %s out of %p', (kind, text) => {
    expect(valueOfText(kind, text).isValid).toBe(false);
  });

  it('gives a moment back as it was, to the minute', () => {
    const instant = '2026-07-30T12:34:00.000Z';

    expect(valueOfText('datetime', inputText('datetime', instant)).value).toBe(instant);
  });
});

describe('inputText', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [false, 'false'],
  ])('shows %p as %p', (value, text) => {
    expect(inputText('number', value)).toBe(text);
  });
});
