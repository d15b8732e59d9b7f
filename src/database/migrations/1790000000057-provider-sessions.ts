import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const COLUMN = 'provider_sid';
const INDEX = new TableIndex({ name: 'i_auth_sessions_provider_sid', columnNames: [COLUMN] });

/** Sessions know the session at the provider in which they were begun, so that the provider can end them. */
export class ProviderSessions1790000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('auth_sessions', COLUMN))) {
      await runner.query(`ALTER TABLE auth_sessions ADD COLUMN ${COLUMN} varchar(64) NULL`);
    }
    const table = await runner.getTable('auth_sessions');
    const hasIndex = table?.indices.some(({ name }) => name === INDEX.name) === true;
    if (!hasIndex) await runner.createIndex('auth_sessions', INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('auth_sessions');
    const hasIndex = table?.indices.some(({ name }) => name === INDEX.name) === true;
    if (hasIndex) await runner.dropIndex('auth_sessions', INDEX);
    if (await runner.hasColumn('auth_sessions', COLUMN)) {
      await runner.query(`ALTER TABLE auth_sessions DROP COLUMN ${COLUMN}`);
    }
  }
}
