import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, NULLABLE, text, varchar } from './create-table.js';

/** Tables of signing in: sessions, identities of providers, open challenges, counted tries and the keys of tokens. */
export class SignIn1790000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createSessions(runner);
    await createIdentities(runner);
    await createChallenges(runner);
    await addTokenOwner(runner);
    await createTable(
      runner,
      'auth_counters',
      [varchar('id', 64, { isPrimary: true }), int('tries'), big('ends_at')],
      [{ name: 'i_auth_counters_ends_at', columns: ['ends_at'] }],
    );
    await createTable(
      runner,
      'signing_keys',
      [
        varchar('id', 64, { isPrimary: true }),
        varchar('state', 8),
        varchar('slot', 8, NULLABLE),
        text('public_jwk'),
        text('sealed_key'),
        big('created_at'),
        big('activated_at', NULLABLE),
        big('retired_at', NULLABLE),
      ],
      [{ name: 'u_signing_keys_slot', columns: ['slot'], unique: true }],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_tokens DROP COLUMN owner_id');
    for (const table of ['signing_keys', 'auth_counters', 'auth_challenges', 'auth_identities', 'auth_sessions']) {
      await runner.dropTable(table, true);
    }
  }
}

/** API tokens of a user end with the user's other credentials. Added in SQL, since TypeORM would copy the table on SQLite. */
async function addTokenOwner(runner: QueryRunner): Promise<void> {
  if (await runner.hasColumn('api_tokens', 'owner_id')) return;
  await runner.query('ALTER TABLE api_tokens ADD COLUMN owner_id bigint NULL');
}

function createSessions(runner: QueryRunner): Promise<void> {
  return createTable(
    runner,
    'auth_sessions',
    [
      varchar('id', 32, { isPrimary: true }),
      big('user_id'),
      int('counter'),
      varchar('amr', 64),
      varchar('ip', 45),
      varchar('user_agent', 255, NULLABLE),
      big('created_at'),
      big('refreshed_at'),
      big('expires_at'),
      big('revoked_at', NULLABLE),
      varchar('revoke_reason', 32, NULLABLE),
    ],
    [
      { name: 'i_auth_sessions_user_id', columns: ['user_id'] },
      { name: 'i_auth_sessions_expires_at', columns: ['expires_at'] },
    ],
  );
}

function createIdentities(runner: QueryRunner): Promise<void> {
  return createTable(
    runner,
    'auth_identities',
    [
      GENERATED_ID,
      varchar('provider', 16),
      varchar('subject', 255),
      big('user_id'),
      varchar('email', 320, NULLABLE),
      big('created_at'),
      big('last_used_at'),
    ],
    [
      { name: 'u_auth_identities_subject', columns: ['provider', 'subject'], unique: true },
      { name: 'i_auth_identities_user_id', columns: ['user_id'] },
    ],
  );
}

function createChallenges(runner: QueryRunner): Promise<void> {
  return createTable(
    runner,
    'auth_challenges',
    [
      GENERATED_ID,
      varchar('purpose', 16),
      varchar('subject', 320),
      big('user_id', NULLABLE),
      varchar('code_hash', 64, NULLABLE),
      varchar('token_hash', 64, NULLABLE),
      int('attempts'),
      text('context', NULLABLE),
      big('created_at'),
      big('expires_at'),
      big('consumed_at', NULLABLE),
    ],
    [
      { name: 'u_auth_challenges_subject', columns: ['purpose', 'subject'], unique: true },
      { name: 'u_auth_challenges_token_hash', columns: ['token_hash'], unique: true },
      { name: 'i_auth_challenges_user_id', columns: ['user_id'] },
      { name: 'i_auth_challenges_expires_at', columns: ['expires_at'] },
    ],
  );
}
