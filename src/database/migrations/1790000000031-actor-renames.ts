import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEX = new TableIndex({ name: 'i_actors_renamed', columnNames: ['renamed_at'] });

/** When actors got another name, so that every instance can ask for those that did since it last asked. */
export class ActorRenames1790000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('actors', 'renamed_at'))) {
      await runner.query('ALTER TABLE actors ADD COLUMN renamed_at bigint NULL');
    }
    const table = await runner.getTable('actors');
    if (!table?.indices.some(({ name }) => name === INDEX.name)) await runner.createIndex('actors', INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('actors', INDEX);
    await runner.query('ALTER TABLE actors DROP COLUMN renamed_at');
  }
}
