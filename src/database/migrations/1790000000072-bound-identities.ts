import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'auth_identities';
const COLUMN = 'bound_at';

/**
 * Identities know whether their directory speaks for the account. That of an account whose role came from its provider
 * does; of all others the next sign-in finds out.
 */
export class BoundIdentities1790000000072 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(TABLE, COLUMN))) {
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} bigint NULL`);
    }
    await runner.query(
      `UPDATE ${TABLE} SET ${COLUMN} = created_at WHERE ${COLUMN} IS NULL AND ` +
        `EXISTS (SELECT 1 FROM users u WHERE u.id = ${TABLE}.user_id AND u.role_source = ${TABLE}.provider)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
