import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, isServer, NULLABLE, varchar } from './create-table.js';

const FULLTEXT_INDEX = 'ft_search_documents';

/** The full-text index, the work that fills it, and the words that a mistyped one may have been meant to be. */
export class Search1790000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await (isServer(runner) ? this.createDocuments(runner) : this.createFts5(runner));
    await createTable(runner, 'search_jobs', [
      GENERATED_ID,
      varchar('kind', 8),
      big('target_id'),
      big('position'),
      big('end_at', NULLABLE),
      big('lease_until'),
      varchar('lease_by', 36, NULLABLE),
      big('created_at'),
    ]);
    await createTable(
      runner,
      'search_words',
      [varchar('word', 40, { isPrimary: true }), varchar('reversed', 40), int('size')],
      [{ name: 'i_search_words_reversed', columns: ['reversed', 'size'] }],
    );
    await this.indexWhatIsThere(runner);
  }

  /** Without its own copy of the texts. Terms come analysed, so the tokenizer has only to split them at spaces. */
  private async createFts5(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING fts5(
         title, terms, body,
         content = '', contentless_delete = 1,
         tokenize = "unicode61 remove_diacritics 0 tokenchars '_'")`,
    );
    // More memory for what is gathered, and fewer merges: twice as quick to write, hardly slower to read.
    await runner.query("INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608), ('automerge', 8)");
  }

  private async createDocuments(runner: QueryRunner): Promise<void> {
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
    await createTable(runner, 'search_changes', [GENERATED_ID]);
    if (await hasFulltext(runner)) return;
    // Whether common words are left out is settled for an index when it is made.
    await runner.query('SET SESSION innodb_ft_enable_stopword = 0');
    await runner.query(`ALTER TABLE search_documents ADD FULLTEXT ${FULLTEXT_INDEX} (title, terms, body)`);
    await runner.query('SET SESSION innodb_ft_enable_stopword = DEFAULT');
  }

  private async indexWhatIsThere(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO search_jobs (kind, target_id, position, lease_until, created_at)
       SELECT 'all', 0, 0, 0, ? FROM (SELECT 1 AS one) AS once
       WHERE EXISTS (SELECT 1 FROM records) AND NOT EXISTS (SELECT 1 FROM search_jobs WHERE kind = 'all')`,
      [Date.now()],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['search_words', 'search_jobs']) await runner.dropTable(table, true);
    const own = isServer(runner) ? ['search_changes', 'search_documents'] : ['search_index'];
    for (const table of own) await runner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

async function hasFulltext(runner: QueryRunner): Promise<boolean> {
  const rows = (await runner.query(
    'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ?',
    ['search_documents', FULLTEXT_INDEX],
  )) as unknown[];
  return rows.length > 0;
}
