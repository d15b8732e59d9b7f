import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLE = 'auth_identities';
const COLUMN = 'issuer';
const OF_SUBJECT = new TableIndex({
  name: 'u_auth_identities_subject',
  columnNames: ['provider', 'subject'],
  isUnique: true,
});
const OF_ISSUER = new TableIndex({
  name: 'u_auth_identities_issuer',
  columnNames: ['provider', COLUMN, 'subject'],
  isUnique: true,
});

/** Identities know which OpenID Connect provider they are of. Of those from before, the settings say it (`IdentityJobs`). */
export class IdentityIssuers1790000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(TABLE, COLUMN))) {
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} varchar(255) NOT NULL DEFAULT ''`);
    }
    if (!(await hasIndex(runner, OF_ISSUER))) await runner.createIndex(TABLE, OF_ISSUER);
    if (await hasIndex(runner, OF_SUBJECT)) await runner.dropIndex(TABLE, OF_SUBJECT);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await hasIndex(runner, OF_SUBJECT))) await runner.createIndex(TABLE, OF_SUBJECT);
    if (await hasIndex(runner, OF_ISSUER)) await runner.dropIndex(TABLE, OF_ISSUER);
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}

async function hasIndex(runner: QueryRunner, { name }: TableIndex): Promise<boolean> {
  const table = await runner.getTable(TABLE);
  return table?.indices.some((index) => index.name === name) === true;
}
