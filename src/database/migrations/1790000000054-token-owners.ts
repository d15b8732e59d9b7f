import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLE = 'api_tokens';
const KIND = "varchar(16) NOT NULL DEFAULT 'service'";
const INDEX = new TableIndex({ name: 'i_api_tokens_owner_id', columnNames: ['owner_id'] });

/** API tokens are personal or of a service. Those that are there go on as of a service. */
export class TokenOwners1790000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(TABLE, 'kind'))) await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN kind ${KIND}`);
    if (!(await hasIndex(runner))) await runner.createIndex(TABLE, INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasIndex(runner)) await runner.dropIndex(TABLE, INDEX);
    if (await runner.hasColumn(TABLE, 'kind')) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN kind`);
  }
}

async function hasIndex(runner: QueryRunner): Promise<boolean> {
  const table = await runner.getTable(TABLE);
  return table?.indices.some(({ name }) => name === INDEX.name) === true;
}
