import { REMOVED } from '../../records/counting/record-counts.js';
import type { Reader } from '../../database/reads.js';
import { placeholders, type SqlValue } from '../../database/statement.js';
import type { DamagedRows } from '../backup/damaged-rows.js';

type Id = Readonly<Record<'id', number | string>>;

const PORTION = 1_000;

/** Rows that no other row leads to, so that an export that follows references would be silent about them. */
export async function addOrphans(reader: Reader, damaged: DamagedRows): Promise<void> {
  // Records of a type that was just deleted are being removed; a counter of its own says so.
  const types = await reader.select<Id>(
    'SELECT id FROM content_types UNION SELECT type_id AS id FROM record_counts WHERE status = ?',
    [REMOVED],
  );
  const known = new Set(types.map(({ id }) => Number(id)));
  // An index leads to each type: no database goes through all records for that.
  const used = await reader.select<{ type_id: number | string }>('SELECT DISTINCT type_id FROM records');
  const lost = used.map(({ type_id: type }) => type).filter((type) => !known.has(Number(type)));
  await addAll(reader, damaged, { table: 'records', key: 'id', column: 'type_id', values: lost });

  const taxonomies = await reader.select<{ name: string }>('SELECT name FROM taxonomies');
  const names = new Set(taxonomies.map(({ name }) => name));
  const named = await reader.select<{ taxonomy: string }>('SELECT DISTINCT taxonomy FROM terms');
  const unknown = named.map(({ taxonomy }) => taxonomy).filter((taxonomy) => !names.has(taxonomy));
  await addAll(reader, damaged, { table: 'terms', key: 'id', column: 'taxonomy', values: unknown });

  const astray = await reader.select<{ into_id: number | string }>(
    'SELECT DISTINCT r.into_id FROM term_redirects r LEFT JOIN terms t ON t.id = r.into_id WHERE r.into_id IS NOT NULL AND t.id IS NULL',
  );
  const into = astray.map(({ into_id: id }) => id);
  await addAll(reader, damaged, { table: 'term_redirects', key: 'term_id', column: 'into_id', values: into });
}

interface Orphans {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  /** What no row has that the column refers to. */
  readonly values: readonly SqlValue[];
}

async function addAll(reader: Reader, damaged: DamagedRows, { table, key, column, values }: Orphans): Promise<void> {
  if (values.length === 0) return;
  for (let last: SqlValue = 0; ;) {
    const rows: readonly Id[] = await reader.select<Id>(
      `SELECT ${key} AS id FROM ${table} WHERE ${column} IN (${placeholders(values)}) AND ${key} > ? ORDER BY ${key} LIMIT ${PORTION}`,
      [...values, last],
    );
    for (const { id } of rows) damaged.add({ table, key: { [key]: Number(id) }, column, expected: 'reference' });
    if (rows.length < PORTION) return;
    last = rows.at(-1)?.id ?? 0;
  }
}
