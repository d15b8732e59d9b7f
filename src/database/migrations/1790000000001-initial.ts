import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, isServer } from './create-table.js';
import { ACCOUNTS_TABLES } from './initial/accounts-tables.js';
import { insertBuiltInContent } from './initial/built-in-content.js';
import { RECORDS_TABLES } from './initial/records-tables.js';
import { createSearchIndex, dropSearchIndex, SEARCH_TABLES } from './initial/search-tables.js';
import { TYPES_TABLES } from './initial/types-tables.js';

const TABLES = { ...ACCOUNTS_TABLES, ...TYPES_TABLES, ...RECORDS_TABLES, ...SEARCH_TABLES };
const MESSAGE = 'Events of the audit are never changed.';

/** Some accounts may not make triggers: without the privilege, or while the server keeps a binary log. */
const MAY_NOT = new Set(['ER_TABLEACCESS_DENIED_ERROR', 'ER_BINLOG_CREATE_ROUTINE_NEED_SUPER']);

/** All tables of the first release, and the content of a fresh database. Can be run again after an interruption. */
export class Initial1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, table] of Object.entries(TABLES)) await createTable(runner, name, table);
    await createSearchIndex(runner);
    await refuseChangesOfEvents(runner);
    await insertBuiltInContent(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropSearchIndex(runner);
    for (const name of Object.keys(TABLES)) await runner.dropTable(name, true);
  }
}

/** Removal is not refused: old events have to go (docs/adr/0006). */
async function refuseChangesOfEvents(runner: QueryRunner): Promise<void> {
  const begin = 'CREATE TRIGGER auth_events_stay BEFORE UPDATE ON auth_events FOR EACH ROW';
  if (!isServer(runner)) {
    await runner.query(`${begin} BEGIN SELECT RAISE(ABORT, '${MESSAGE}'); END`);
    return;
  }
  try {
    await runner.query('DROP TRIGGER IF EXISTS auth_events_stay');
    await runner.query(`${begin} SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${MESSAGE}'`);
  } catch (error) {
    if (!MAY_NOT.has((error as { code?: string }).code ?? '')) throw error;
  }
}
