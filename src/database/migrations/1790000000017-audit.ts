import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, isServer, NULLABLE, text, varchar } from './create-table.js';

const MESSAGE = 'Events of the audit are never changed.';

/** Accounts of some servers may not make triggers: without the privilege, or while the server keeps a binary log. */
const MAY_NOT = new Set(['ER_TABLEACCESS_DENIED_ERROR', 'ER_BINLOG_CREATE_ROUTINE_NEED_SUPER']);

/** Events of accounts and credentials, with an index for each way to look for them. */
export class Audit1790000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'auth_events',
      [
        GENERATED_ID,
        big('at'),
        varchar('event', 40),
        varchar('outcome', 8),
        big('user_id', NULLABLE),
        varchar('email', 320, NULLABLE),
        varchar('session_id', 64, NULLABLE),
        varchar('actor_kind', 8, NULLABLE),
        big('actor_id', NULLABLE),
        varchar('actor_name', 255, NULLABLE),
        varchar('ip', 45, NULLABLE),
        varchar('user_agent', 255, NULLABLE),
        varchar('request_id', 128, NULLABLE),
        varchar('provider', 32, NULLABLE),
        varchar('reason', 64, NULLABLE),
        text('details', NULLABLE),
      ],
      [
        { name: 'i_auth_events_at', columns: ['at'] },
        { name: 'i_auth_events_event', columns: ['event', 'at'] },
        { name: 'i_auth_events_event_outcome', columns: ['event', 'outcome', 'at'] },
        { name: 'i_auth_events_outcome', columns: ['outcome', 'at'] },
        { name: 'i_auth_events_user', columns: ['user_id', 'at'] },
        { name: 'i_auth_events_session', columns: ['session_id', 'at'] },
        { name: 'i_auth_events_ip', columns: ['ip', 'at'] },
      ],
    );
    await this.refuseChanges(runner);
  }

  /** Taking out is not refused: what is older than its time has to go (docs/adr/0006). */
  private async refuseChanges(runner: QueryRunner): Promise<void> {
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

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('auth_events', true);
  }
}
