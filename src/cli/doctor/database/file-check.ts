import { Reads } from '../../../database/statements/reads.js';
import { SearchRepair } from '../../../search/checks/search-repair.js';
import { indexFaultTest } from '../../../search/fts5/fts5-soundness.js';
import type { Check, CheckResult, OpenDatabase } from '../check.js';

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
      const message = `The full-text index is damaged: ${shown(ofIndex)}. It is made anew from the records. Run: npm run cli -- doctor --repair.`;
      seen.push({ ok: false, message });
    }
    return seen.length > 0 ? seen : [{ ok: true, message: 'the file is whole' }];
  },
  async repair(database, service, isDeep) {
    const { ofIndex, others } = await faultsIn(database, isDeep);
    // More writes to a file of which other pages are damaged too may make it worse.
    if (ofIndex.length === 0 || others.length > 0) return [];
    await (await service.get(SearchRepair)).remake();
    return ['made the full-text index anew'];
  },
};

async function faultsIn({ source }: OpenDatabase, isDeep: boolean): Promise<FileFaults> {
  const rows = await source.query<Record<string, string>[]>(isDeep ? 'PRAGMA integrity_check' : 'PRAGMA quick_check');
  const lines = rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
  const isOfIndex = await indexFaultTest(new Reads(source));
  return { ofIndex: lines.filter(isOfIndex), others: lines.filter((line) => !isOfIndex(line)) };
}

function shown(faults: readonly string[]): string {
  return faults.slice(0, MOST_NAMED).join('; ');
}
