import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'users';
const COLUMN = 'issuer_role';

/** Users know the role that a trusted issuer or a gateway names for them, so that weaker callers do not manage them. */
export class ExpandIssuerRoles1790000000074 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) return;
    await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} varchar(16) NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
