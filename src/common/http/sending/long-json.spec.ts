import { longJson } from './long-json.js';

const references = (count: number) => Array.from({ length: count }, (_, id) => ({ id, type: 'page' }));

describe('The JSON of a long answer', () => {
  it.each<[string, object]>([
    ['short', { data: { id: 1, title: 'é"\\', none: null, missing: undefined, at: new Date(0) } }],
    ['many short items', { data: references(20_000) }],
    ['lists within lists', [[[references(3_000)], []], [], {}, references(5_000)]],
    ['long texts', { data: { title: 'Long', body: '漢"\n'.repeat(200_000) }, meta: {} }],
    ['what JSON leaves out', { a: undefined, list: [undefined, ...references(4_000), undefined, NaN], b: undefined }],
    ['nothing but what it leaves out', { data: { a: undefined, ...{ b: undefined } }, list: references(4_000) }],
    ['one long item among short ones', [1, 'x'.repeat(40_000), null, references(2_000), undefined, 2]],
    ['values with a text of their own', [new Date(0), { toJSON: () => references(9_000) }, references(9_000)]],
  ])('is that of JSON.stringify: %s', async (_, value) => {
    const bytes = await longJson(value);

    expect(bytes.toString('utf8')).toBe(JSON.stringify(value));
  });

  it('gives way to others after each piece of it', async () => {
    const fields = Array.from({ length: 90 }, (_, n) => [`to_${n}`, references(1_000)]);
    let isMade = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!isMade) setImmediate(count);
    };
    setImmediate(count);

    const bytes = await longJson({ data: Object.fromEntries(fields) });

    isMade = true;
    expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / 300_000));
  });
});
