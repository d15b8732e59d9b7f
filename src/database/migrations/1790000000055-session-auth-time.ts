import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isServer } from './create-table.js';

/**
 * When the user of a session last proved who they are, and how strongly. A session that an older release opens meanwhile
 * has 0 there: it asks for a fresh sign-in.
 */
export class SessionAuthTime1790000000055 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const int = isServer(runner) ? 'int' : 'integer';
    const columns = { auth_time: 'bigint NOT NULL DEFAULT 0', aal: `${int} NOT NULL DEFAULT 1` };
    for (const [name, definition] of Object.entries(columns)) {
      if (await runner.hasColumn('auth_sessions', name)) continue;
      await runner.query(`ALTER TABLE auth_sessions ADD COLUMN ${name} ${definition}`);
    }
    await runner.query('UPDATE auth_sessions SET auth_time = created_at WHERE auth_time = 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['auth_time', 'aal']) await runner.query(`ALTER TABLE auth_sessions DROP COLUMN ${name}`);
  }
}
