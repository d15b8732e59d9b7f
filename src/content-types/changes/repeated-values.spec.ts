import { RepeatedValues } from './repeated-values.js';

function valuesOf(keys: readonly string[]): RepeatedValues {
  const values = new RepeatedValues();
  for (const [id, key] of keys.entries()) values.look(key, id);
  return values;
}

describe('RepeatedValues', () => {
  it('counts every record whose value another one has, and names them', () => {
    const values = valuesOf(['a', 'b', 'a', 'c', 'a', 'b']);

    expect(values.records).toBe(5);
    expect(values.examples).toEqual([0, 1, 2, 4, 5]);
  });

  it('names no more than ten', () => {
    const values = valuesOf(new Array<string>(50).fill('same'));

    expect(values.records).toBe(50);
    expect(values.examples).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('counts none if all differ', () => {
    expect(valuesOf(Array.from({ length: 5_000 }, (_, at) => `value ${at}`)).records).toBe(0);
  });
});
