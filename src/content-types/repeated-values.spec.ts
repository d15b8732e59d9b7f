import { RepeatedValues } from './repeated-values.js';

function counted(values: RepeatedValues, keys: readonly string[]): number {
  do for (const key of keys) values.look(key);
  while (values.next());
  return values.records;
}

describe('RepeatedValues', () => {
  it('counts every record whose value another one has', () => {
    expect(counted(new RepeatedValues(6), ['a', 'b', 'a', 'c', 'a', 'b'])).toBe(5);
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
