import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLE = 'users';
const INDEX = new TableIndex({ name: 'i_users_role', columnNames: ['role', 'disabled_at'] });

/** Enabled admins are found by an index: they are looked for, and locked, wherever one of them may be the last. */
export class ExpandAdminsIndex1790000000078 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await hasIndex(runner))) await runner.createIndex(TABLE, INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasIndex(runner)) await runner.dropIndex(TABLE, INDEX);
  }
}

async function hasIndex(runner: QueryRunner): Promise<boolean> {
  const table = await runner.getTable(TABLE);
  return table?.indices.some(({ name }) => name === INDEX.name) === true;
}
