import type { TypeDefinition } from '../../content-types/definition/content-type.js';
import type { NarrowRow } from '../../records/rows/record-row.js';
import { ExcerptCache } from './search-hits.js';

describe('Excerpts that are remembered', () => {
  const row = (id: number, version = 1): NarrowRow => ({ id, version, updated_at: 5 }) as NarrowRow;
  const type = (version = 1): TypeDefinition => ({ version }) as TypeDefinition;

  it('are those of this version of the record and its type, for this query', () => {
    const memory = new ExcerptCache();

    memory.keep('a', row(1), type(), 'shown');

    expect(memory.of('a', row(1), type())).toBe('shown');
    expect([
      memory.of('b', row(1), type()),
      memory.of('a', row(2), type()),
      memory.of('a', row(1, 2), type()),
      memory.of('a', row(1), type(2)),
    ]).toEqual(Array(4).fill(undefined));
    expect([memory.hasAny('a', [2, 1]), memory.hasAny('a', [2]), memory.hasAny('b', [1])]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('go with the query that was asked for longest ago', () => {
    const memory = new ExcerptCache();
    for (let n = 0; n < 5_000; n += 1) memory.keep(`q${n % 50}`, row(n), type(), 'shown');

    memory.keep('q0', row(9_999), type(), 'shown');

    expect([memory.hasAny('q0', [0]), memory.hasAny('q1', [1]), memory.hasAny('q2', [2])]).toEqual([true, false, true]);
  });
});
