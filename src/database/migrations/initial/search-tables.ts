import type { QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, isServer, KEY, NULLABLE, varchar, type Tables } from '../create-table.js';

const FULLTEXT_INDEX = 'ft_search_documents';

/** Tables of the work that fills the full-text index, and of the words that a mistyped one may have been meant to be. */
export const SEARCH_TABLES: Tables = {
  search_jobs: {
    columns: [
      GENERATED_ID,
      varchar('kind', 8),
      big('target_id'),
      big('position'),
      big('end_at', NULLABLE),
      big('created_at'),
    ],
  },
  search_words: {
    columns: [varchar('word', 40, KEY), varchar('reversed', 40), int('size')],
    indices: [{ name: 'i_search_words_reversed', columns: ['reversed', 'size'] }],
  },
};

/** Creates the full-text index: FTS5 on SQLite, FULLTEXT over a table of documents on MySQL and MariaDB. */
export function createSearchIndex(runner: QueryRunner): Promise<void> {
  return isServer(runner) ? createDocuments(runner) : createFts5(runner);
}

export async function dropSearchIndex(runner: QueryRunner): Promise<void> {
  const tables = isServer(runner) ? ['search_changes', 'search_documents'] : ['search_index'];
  for (const table of tables) await runner.query(`DROP TABLE IF EXISTS ${table}`);
}

/** Without its own copy of the texts. Terms come analysed, so the tokenizer has only to split them at spaces. */
async function createFts5(runner: QueryRunner): Promise<void> {
  await runner.query(
    `CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING fts5(
         title, terms, body,
         content = '', contentless_delete = 1,
         tokenize = "unicode61 remove_diacritics 0 tokenchars '_'")`,
  );
  // More memory for what is gathered, and fewer merges: twice as quick to write, hardly slower to read. And no merge for
  // the sake of deleted documents: FTS5 reads such a segment to its end in one go, which held a process for a second.
  await runner.query(
    "INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608), ('automerge', 8), ('deletemerge', 0)",
  );
}

async function createDocuments(runner: QueryRunner): Promise<void> {
  await runner.query(
    `CREATE TABLE IF NOT EXISTS search_documents (
         record_id bigint NOT NULL PRIMARY KEY,
         type_id bigint NOT NULL,
         status varchar(16) NOT NULL,
         sort_at bigint NOT NULL,
         title text NOT NULL,
         terms mediumtext NOT NULL,
         body mediumtext NOT NULL,
         KEY i_search_documents_sort (sort_at, record_id, status, type_id)
       ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  );
  await createTable(runner, 'search_changes', {
    columns: [GENERATED_ID, big('record_id'), big('at'), big('mark')],
  });
  // This row has the marks of all rows that were put away.
  await runner.query('INSERT IGNORE INTO search_changes (id, record_id, at, mark) VALUES (1, 0, 0, 0)');
  if (await hasFulltext(runner)) return;
  // Whether common words are left out is settled for an index when it is made.
  await runner.query('SET SESSION innodb_ft_enable_stopword = 0');
  await runner.query(`ALTER TABLE search_documents ADD FULLTEXT ${FULLTEXT_INDEX} (title, terms, body)`);
  await runner.query('SET SESSION innodb_ft_enable_stopword = DEFAULT');
}

async function hasFulltext(runner: QueryRunner): Promise<boolean> {
  const rows = (await runner.query(
    'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ?',
    ['search_documents', FULLTEXT_INDEX],
  )) as unknown[];
  return rows.length > 0;
}
