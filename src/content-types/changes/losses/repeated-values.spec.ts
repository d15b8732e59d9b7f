import { RepeatedValues } from './repeated-values.js';

function counted(values: RepeatedValues, keys: readonly string[]): number {
  do for (const [id, key] of keys.entries()) values.look(key, id);
  while (values.next());
  return values.records;
}

describe('RepeatedValues', () => {
  it('counts every record whose value another one has', () => {
    expect(counted(new RepeatedValues(6), ['a', 'b', 'a', 'c', 'a', 'b'])).toBe(5);
  });

  it('names the records, once they are counted, and not more than ten', () => {
    const few = new RepeatedValues(6);
    counted(few, ['a', 'b', 'a', 'c', 'a', 'b']);
    const many = new RepeatedValues(3_000_000);
    counted(many, new Array<string>(50).fill('same'));

    expect(few.examples).toEqual([0, 1, 2, 4, 5]);
    expect(many.records).toBe(50);
    expect(many.examples).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('counts none where all differ', () => {
    const keys = Array.from({ length: 5_000 }, (_, at) => `value ${at}`);

    expect(counted(new RepeatedValues(keys.length), keys)).toBe(0);
  });

  it('takes more passes over more values than it remembers, and finds the same', () => {
    const keys = Array.from({ length: 5_000 }, (_, at) => `value ${at % 4_000}`);

    expect(counted(new RepeatedValues(3_000_000), keys)).toBe(2_000);
  });

  it('goes on when there are more values than were said to come', () => {
    const keys = Array.from({ length: 3_000 }, (_, at) => `value ${at}`);

    expect(counted(new RepeatedValues(1), ['value 0', ...keys])).toBe(2);
  });
});
