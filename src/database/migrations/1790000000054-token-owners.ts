import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const COLUMNS = {
  kind: "varchar(16) NOT NULL DEFAULT 'service'",
  parent_id: 'bigint NULL',
  family_id: 'bigint NULL',
};
const INDICES = [
  new TableIndex({ name: 'i_api_tokens_owner_id', columnNames: ['owner_id'] }),
  new TableIndex({ name: 'i_api_tokens_parent_id', columnNames: ['parent_id'] }),
];

/** API tokens are personal or of a service, and know which token made them. Those that are there go on as of a service. */
export class TokenOwners1790000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(COLUMNS)) {
      if (await runner.hasColumn('api_tokens', name)) continue;
      await runner.query(`ALTER TABLE api_tokens ADD COLUMN ${name} ${definition}`);
    }
    const table = await runner.getTable('api_tokens');
    for (const index of INDICES) {
      if (!table?.indices.some(({ name }) => name === index.name)) await runner.createIndex('api_tokens', index);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('api_tokens');
    for (const index of INDICES) {
      if (table?.indices.some(({ name }) => name === index.name)) await runner.dropIndex('api_tokens', index);
    }
    for (const name of Object.keys(COLUMNS)) {
      if (await runner.hasColumn('api_tokens', name)) {
        await runner.query(`ALTER TABLE api_tokens DROP COLUMN ${name}`);
      }
    }
  }
}
