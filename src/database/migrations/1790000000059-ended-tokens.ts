import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEX = new TableIndex({ name: 'i_api_tokens_end', columnNames: ['revoked_at', 'expires_at'] });

/** API tokens that have ended are found without a look at the others, to be dropped in the end. */
export class EndedTokens1790000000059 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await hasIndex(runner))) await runner.createIndex('api_tokens', INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasIndex(runner)) await runner.dropIndex('api_tokens', INDEX);
  }
}

async function hasIndex(runner: QueryRunner): Promise<boolean> {
  const table = await runner.getTable('api_tokens');
  return table?.indices.some(({ name }) => name === INDEX.name) === true;
}
