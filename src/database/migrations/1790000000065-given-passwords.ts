import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users know since when their password is one that was given to them. Of passwords from before that is not known. */
export class GivenPasswords1790000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('users', 'password_given_at')) return;
    await runner.query('ALTER TABLE users ADD COLUMN password_given_at bigint NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('users', 'password_given_at'))) return;
    await runner.query('ALTER TABLE users DROP COLUMN password_given_at');
  }
}
