import { jsonText, readJson } from './json-text.js';

describe('JSON that is typed', () => {
  it.each<[string, unknown]>([
    ['{"a": [1, -2.5e3, true, null, "é\\n\\u00e9"]}', { a: [1, -2500, true, null, 'é\né'] }],
    [' "x" ', 'x'],
    ['[]', []],
    ['{}', {}],
    ['', null],
    [' \n', null],
  ])('is read from %p', (text, value) => {
    expect(readJson(text)).toEqual({ value });
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma or }'],
    ['{\n  "a": 1,\n}', 3, 1, 'a comma behind'],
    ['{ a: 1 }', 1, 3, 'name in double quotes'],
    ['[1, 2', 1, 6, 'closing ]'],
    ['{"a" 1}', 1, 6, 'colon'],
    ['yes', 1, 1, 'yes needs double quotes'],
    ['"open', 1, 1, 'does not end'],
    ['[01]', 1, 2, 'no number'],
    ['[\n12345678901234567890]', 2, 1, 'more digits'],
    ['[1e400]', 1, 2, 'too large'],
    ['1 2', 1, 3, 'behind the end'],
    ['{\n  "a": 1,\n  "b": {"a": 2},\n  "\\u0061": 3\n}', 4, 3, 'the name "a" is there twice'],
    ['[,]', 1, 2, 'missing before ,'],
    ['['.repeat(33) + ']'.repeat(33), 1, 33, 'more than 32 levels'],
  ])('is none in %p, which is said with its line', (text, line, column, words) => {
    const { fault } = readJson(text);

    expect(fault).toContain(`Line ${line}, column ${column}: `);
    expect(fault).toContain(words);
  });

  it('agrees with the engine on what is JSON, and copes with half a million characters', () => {
    const texts = [
      '1e5',
      '-',
      '1.',
      '"\\x"',
      '[1,]',
      'nul',
      '{"a":{}}',
      '"\t"',
      '\ufeff1',
      JSON.stringify('x'.repeat(500_000)),
    ];
    const isJson = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };

    for (const text of texts)
      expect([text.slice(0, 9), readJson(text).fault === undefined]).toEqual([text.slice(0, 9), isJson(text)]);
  });

  it('is laid out in lines when it is opened', () => {
    expect(jsonText({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(jsonText(null)).toBe('');
  });
});
