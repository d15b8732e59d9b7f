import { KeyReader } from './single-keys.js';

describe('Keys without Ctrl', () => {
  const done: string[] = [];
  const keys = { 'g c': () => done.push('content'), c: () => done.push('c'), '?': () => done.push('help') };
  const press = (reader: KeyReader, ...presses: [string, number][]): string[] => {
    done.length = 0;
    for (const [key, at] of presses) reader.find(keys, key, at)?.();
    return [...done];
  };

  it('do what they are for', () => {
    expect(press(new KeyReader(), ['?', 5_000])).toEqual(['help']);
    expect(press(new KeyReader(), ['q', 5_000])).toEqual([]);
  });

  it('belong together when one soon follows the other', () => {
    expect(press(new KeyReader(), ['g', 5_000], ['c', 5_400])).toEqual(['content']);
    expect(press(new KeyReader(), ['g', 5_000], ['c', 7_000])).toEqual(['c']);
    expect(press(new KeyReader(), ['g', 5_000], ['x', 5_100], ['c', 5_200])).toEqual(['c']);
  });
});
