import { adjacencies, toBooleanMode } from '../../src/search/fulltext/fulltext-conditions.js';
import { withoutStopWords } from '../../src/search/text/analysis/stop-words.js';
import { toFts5 } from '../../src/search/text/analysis/fts5.js';
import type { SearchQuery } from '../../src/search/text/queries/query.js';
import { openTestDatabase, type OpenDatabase } from './open-database.js';

/** A full-text table of the database under test, with the three columns of a record. */
export interface SearchEngine {
  /** The first gets the id 1. */
  add(rows: readonly (readonly [string, string, string])[]): Promise<void>;
  /** The ids of what is found, in their order. */
  find(query: SearchQuery): Promise<number[]>;
  close(): Promise<void>;
}

const COLUMNS = ['title', 'terms', 'body'];

export async function openSearchEngine(): Promise<SearchEngine> {
  const open = await openTestDatabase();
  return open.database.address.kind === 'server' ? innodb(open) : fts5(open);
}

async function fts5(open: OpenDatabase): Promise<SearchEngine> {
  const ask = (sql: string, values: unknown[] = []) => open.writer.source.query<{ id: number }[]>(sql, values);
  await ask(
    `CREATE VIRTUAL TABLE found USING fts5(${COLUMNS.join()}, tokenize="unicode61 remove_diacritics 0 tokenchars '_'")`,
  );
  return {
    add: async (rows) => {
      for (const row of rows) await ask('INSERT INTO found(title, terms, body) VALUES (?, ?, ?)', [...row]);
    },
    find: async (query) =>
      idsOf(await ask('SELECT rowid AS id FROM found WHERE found MATCH ? ORDER BY rowid', [toFts5(query)])),
    close: () => open.close(),
  };
}

async function innodb(open: OpenDatabase): Promise<SearchEngine> {
  const ask = (sql: string, values: unknown[] = []) => open.writer.source.query<{ id: number }[]>(sql, values);
  const columns = COLUMNS.map((name) => `${name} LONGTEXT NOT NULL`).join();
  await ask('SET SESSION innodb_ft_enable_stopword = 0');
  await ask(
    `CREATE TABLE found (id INT PRIMARY KEY AUTO_INCREMENT, ${columns}, FULLTEXT (${COLUMNS.join()}))
     ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  );
  return {
    add: async (rows) => {
      const places = rows.map(() => '(?, ?, ?)').join();
      await ask(`INSERT INTO found(title, terms, body) VALUES ${places}`, rows.flat().map(withoutStopWords));
    },
    find: async (query) => {
      const besides = adjacencies(query).map(beside);
      const conditions = besides.map(({ sql }) => ` AND ${sql}`).join('');
      const sql = `SELECT id FROM found WHERE MATCH(${COLUMNS.join()}) AGAINST (? IN BOOLEAN MODE)${conditions} ORDER BY id`;
      return idsOf(await ask(sql, [toBooleanMode(query), ...besides.flatMap(({ values }) => values)]));
    },
    close: () => open.close(),
  };
}

function beside({ texts, isExcluded }: ReturnType<typeof adjacencies>[number]): { sql: string; values: string[] } {
  const places = texts.flatMap((text) => COLUMNS.map((column) => ({ text, column })));
  const sql = places.map(({ column }) => `LOCATE(?, CONCAT(' ', ${column}, ' ')) > 0`).join(' OR ');
  return { sql: `${isExcluded ? 'NOT ' : ''}(${sql})`, values: places.map(({ text }) => text) };
}

function idsOf(rows: readonly { id: number | string }[]): number[] {
  return rows.map(({ id }) => Number(id));
}
