import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const SWEEP = new TableIndex({ name: 'i_term_redirects_sweep', columnNames: ['sweep_at'] });

/** Where several servers take writes: until when a taxonomy is kept from types, and when records let go of a term again. */
export class ExpandRemovalsOnClusters1790000000075 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addTime(runner, 'taxonomies', 'frozen_until');
    await addTime(runner, 'term_redirects', 'sweep_at');
    if (!(await hasSweep(runner))) await runner.createIndex('term_redirects', SWEEP);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasSweep(runner)) await runner.dropIndex('term_redirects', SWEEP);
    await dropTime(runner, 'term_redirects', 'sweep_at');
    await dropTime(runner, 'taxonomies', 'frozen_until');
  }
}

async function addTime(runner: QueryRunner, table: string, column: string): Promise<void> {
  if (await runner.hasColumn(table, column)) return;
  await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
}

async function dropTime(runner: QueryRunner, table: string, column: string): Promise<void> {
  if (await runner.hasColumn(table, column)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}

async function hasSweep(runner: QueryRunner): Promise<boolean> {
  const table = await runner.getTable('term_redirects');
  return table?.indices.some(({ name }) => name === SWEEP.name) === true;
}
