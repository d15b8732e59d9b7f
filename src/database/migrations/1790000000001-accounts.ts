import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, NULLABLE, text, varchar } from './create-table.js';

/** Who may come in: users, API tokens, and the actors that records name as their authors. */
export class Accounts1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'users',
      [
        GENERATED_ID,
        varchar('email', 320),
        varchar('email_key', 320),
        varchar('name', 255),
        varchar('role', 16),
        varchar('password_hash', 255, NULLABLE),
        big('password_changed_at', NULLABLE),
        big('email_verified_at', NULLABLE),
        big('disabled_at', NULLABLE),
        big('created_at'),
        big('updated_at'),
      ],
      [{ name: 'u_users_email_key', columns: ['email_key'], unique: true }],
    );
    await this.createApiTokens(runner);
    await createTable(
      runner,
      'actors',
      [GENERATED_ID, varchar('kind', 8), varchar('ref', 191), varchar('name', 255)],
      [{ name: 'u_actors_ref', columns: ['kind', 'ref'], unique: true }],
    );
  }

  private async createApiTokens(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'api_tokens',
      [
        GENERATED_ID,
        varchar('name', 100),
        varchar('token_hash', 64),
        varchar('hint', 16),
        text('scopes'),
        big('expires_at', NULLABLE),
        big('last_used_at', NULLABLE),
        big('revoked_at', NULLABLE),
        big('replaced_by', NULLABLE),
        varchar('created_by', 255, NULLABLE),
        big('created_at'),
      ],
      [{ name: 'u_api_tokens_token_hash', columns: ['token_hash'], unique: true }],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['actors', 'api_tokens', 'users']) await runner.dropTable(table, true);
  }
}
