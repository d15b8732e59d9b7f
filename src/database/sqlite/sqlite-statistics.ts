import type { SqlValue } from '../statements/statement.js';

export type Query = <Row>(sql: string, values?: readonly SqlValue[]) => Promise<Row[]>;

const LARGE = 10_000;
/** So many times as many rows as were known have other plans. */
const GROWTH = 10;

/** Large tables of which the planner knows nothing, or only what was true when they had a tenth of their rows. */
export async function outgrownTables(query: Query): Promise<string[]> {
  const known = await knownRows(query);
  // Tables without row ids, which the full-text index has some of, are small or are looked up by their key alone. So are
  // those without an index, and ANALYZE counts their rows one by one: of contents that is the whole file.
  const tables = await query<{ name: string }>(
    `SELECT m.name FROM sqlite_master m JOIN pragma_table_list t ON t.name = m.name AND t.schema = 'main'
      WHERE m.type = 'table' AND m.rootpage > 0 AND t.wr = 0 AND m.name NOT GLOB 'sqlite_*'
        AND EXISTS (SELECT 1 FROM sqlite_master i WHERE i.type = 'index' AND i.tbl_name = m.name)`,
  );
  const outgrown: string[] = [];
  for (const { name } of tables) {
    // The highest row id is found at once, and there are no more rows than that.
    const [last] = await query<{ id: number | null }>(`SELECT MAX(rowid) AS id FROM "${name}"`);
    const limit = GROWTH * (known.get(name) ?? LARGE / GROWTH);
    if ((last?.id ?? 0) >= limit && (await isLarge(query, name))) outgrown.push(name);
  }
  return outgrown;
}

/** Looks at a thousand rows of each index, however many there are. */
export async function analyse(query: Query, table: string): Promise<void> {
  await query(`ANALYZE "${table}"`);
  // Another schema, as it seems: every open connection reads it anew, and the statistics with it.
  await query('CREATE VIEW statistics_renewed AS SELECT 1');
  await query('DROP VIEW statistics_renewed');
}

async function knownRows(query: Query): Promise<ReadonlyMap<string, number>> {
  const [stat] = await query<{ n: number }>("SELECT COUNT(*) AS n FROM sqlite_master WHERE name = 'sqlite_stat1'");
  if (stat?.n !== 1) return new Map();
  // The number of rows stands first: `8229 1`.
  const rows = await query<{ tbl: string; n: number }>(
    'SELECT tbl, MAX(CAST(stat AS INTEGER)) AS n FROM sqlite_stat1 GROUP BY tbl',
  );
  return new Map(rows.map(({ tbl, n }) => [tbl, n]));
}

/** Statistics of a small table stay when it has grown: a full-text index of two rows had SQLite read all of it at each merge. */
async function isLarge(query: Query, table: string): Promise<boolean> {
  const [row] = await query<{ n: number }>(`SELECT COUNT(*) AS n FROM (SELECT 1 FROM "${table}" LIMIT ${LARGE})`);
  return row?.n === LARGE;
}
