import type { DataSource } from 'typeorm';
import { isUnreadableIndex } from '../../database/dialect/database-error.js';
import { Reads } from '../../database/statements/reads.js';
import { SearchRepair } from '../../search/checks/search-repair.js';
import { indexFaultTest } from '../../search/fts5/fts5-soundness.js';
import type { Check, CheckResult, OpenDatabase } from './check.js';

const MOST_NAMED = 5;

/** What is wrong with a file, one line each. */
interface FileFaults {
  /** With the full-text index, which follows from content. */
  readonly ofIndex: readonly string[];
  readonly others: readonly string[];
}

/** Whether the file of SQLite is whole; `--deep` holds its indexes against its tables as well. A server looks after its own. */
export const fileCheck: Check<OpenDatabase> = {
  name: 'file',
  async look(database, isDeep) {
    if (database.dialect.fileForThreads === null) return [];
    const { ofIndex, others } = await faultsIn(database, isDeep);
    const seen: CheckResult[] = [];
    if (others.length > 0) {
      const message = `The file is damaged: ${shown(others)}. Stop the service, keep a copy of the file, and restore the last backup.`;
      seen.push({ ok: false, message });
    }
    if (ofIndex.length > 0) {
      const message = `The full-text index is damaged: ${shown(ofIndex)}. It can be made again from the records. Run: npm run cli -- doctor --repair.`;
      seen.push({ ok: false, message });
    }
    return seen.length > 0 ? seen : [{ ok: true, message: 'the file is whole' }];
  },
  async repair(database, service, isDeep) {
    const { ofIndex, others } = await faultsIn(database, isDeep);
    // More writes to a file of which other pages are damaged too may make it worse.
    if (ofIndex.length === 0 || others.length > 0) return [];
    await (await service.get(SearchRepair)).remake();
    return ['made the full-text index again'];
  },
};

async function faultsIn({ source }: OpenDatabase, isDeep: boolean): Promise<FileFaults> {
  const pragma = isDeep ? 'integrity_check' : 'quick_check';
  try {
    const lines = await faultsOf(source, `PRAGMA ${pragma}`);
    const isOfIndex = await indexFaultTest(new Reads(source));
    return { ofIndex: lines.filter(isOfIndex), others: lines.filter((line) => !isOfIndex(line)) };
  } catch (error) {
    if (!isUnreadableIndex(error)) throw error;
    return { ofIndex: [(error as Error).message], others: await faultsOfTables(source, pragma) };
  }
}

/** Table by table, without the index, which cannot be opened, and those inside of it. */
async function faultsOfTables(source: DataSource, pragma: string): Promise<readonly string[]> {
  const tables = await source.query<{ name: string }[]>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'search_index' AND name NOT LIKE 'search\\_index\\_%' ESCAPE '\\'",
  );
  const faults: string[] = [];
  for (const { name } of tables) faults.push(...(await faultsOf(source, `PRAGMA ${pragma}("${name}")`)));
  return faults;
}

async function faultsOf(source: DataSource, sql: string): Promise<readonly string[]> {
  const rows = await source.query<Record<string, string>[]>(sql);
  return rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
}

function shown(faults: readonly string[]): string {
  return faults.slice(0, MOST_NAMED).join('; ');
}
