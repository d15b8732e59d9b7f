import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly options: string;
}

/** Unique e-mail fields that are there stay case-sensitive, and say so: their values may differ in case only. */
export class ExactEmails1790000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const found: unknown = await runner.query("SELECT id, type_id, options FROM content_fields WHERE kind = 'email'");
    // A statement of ours: its rows have these columns.
    for (const { id, type_id: typeId, options } of found as Row[]) {
      const rules = JSON.parse(options) as { unique?: boolean; exact?: boolean };
      if (rules.unique !== true || rules.exact !== undefined) continue;
      // First, so that a migration that is run again has said for every field that its type looks different.
      await runner.query('UPDATE content_types SET version = version + 1 WHERE id = ?', [typeId]);
      const exact = JSON.stringify({ ...rules, exact: true });
      await runner.query('UPDATE content_fields SET options = ? WHERE id = ?', [exact, id]);
    }
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
