import type { MigrationInterface, QueryRunner } from 'typeorm';
import { atOnce, isServer } from './create-table.js';

interface Row {
  readonly locale: string;
}

/**
 * Locales of records in their canonical form. A record stays as it is where another one of its type has the slug in that
 * locale already: which of the two is meant only people can say, and `doctor` names them.
 */
export class RecordLocales1790000000050 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return atOnce(runner, () => this.rename(runner));
  }

  down(): Promise<void> {
    return Promise.resolve();
  }

  private async rename(runner: QueryRunner): Promise<void> {
    const found: unknown = await runner.query('SELECT DISTINCT locale FROM records');
    // A statement of ours: its rows have these columns.
    const changed = (found as Row[]).filter(({ locale }) => canonical(locale) !== locale);
    const orIgnore = isServer(runner) ? 'IGNORE' : 'OR IGNORE';
    for (const { locale } of changed.toSorted((a, b) => (a.locale < b.locale ? -1 : 1))) {
      await runner.query(`UPDATE ${orIgnore} records SET locale = ? WHERE locale = ?`, [canonical(locale), locale]);
    }
    // Records look different by now at the same version, and a type that is younger than they are says so.
    if (changed.length > 0) await renewTypes(runner);
  }
}

async function renewTypes(runner: QueryRunner): Promise<void> {
  const sql = 'SELECT COALESCE(MAX(updated_at), 0) AS at FROM records';
  const [newest] = (await runner.query(sql)) as { at: number | string }[];
  await runner.query('UPDATE content_types SET updated_at = ? WHERE updated_at < ?', [
    Math.max(Date.now(), Number(newest?.at ?? 0) + 1),
    Math.max(Date.now(), Number(newest?.at ?? 0) + 1),
  ]);
}

/** As the service did when this was written: a migration says the same for ever. */
function canonical(locale: string): string {
  try {
    const [tag = locale] = Intl.getCanonicalLocales(locale);
    return tag.length <= 12 ? tag : locale;
  } catch {
    return locale;
  }
}
