import { isCorrupt } from '../../database/dialect/database-error.js';
import type { Reader } from '../../database/statements/reads.js';

const TREE = /\bTree (\d+)\b/i;

/** Whether the index can be read. It is looked through, about a second for 100,000 documents. */
export async function isIndexSound(reader: Reader): Promise<boolean> {
  try {
    const faults = await reader.select<Readonly<Record<string, string>>>('PRAGMA quick_check');
    const isOfIndex = await indexFaultTest(reader);
    return !faults.flatMap((row) => Object.values(row)).some(isOfIndex);
  } catch (error) {
    if (isCorrupt(error)) return false;
    throw error;
  }
}

/**
 * Tells whether a line of `PRAGMA integrity_check` is about the full-text index: it names the index, or the page at
 * which a table inside of it begins.
 */
export async function indexFaultTest(reader: Reader): Promise<(line: string) => boolean> {
  const rows = await reader.select<{ rootpage: number }>(
    "SELECT rootpage FROM sqlite_schema WHERE tbl_name LIKE 'search\\_index\\_%' ESCAPE '\\' AND rootpage > 0",
  );
  const roots = new Set(rows.map(({ rootpage }) => rootpage));
  return (line) => line.includes('search_index') || roots.has(Number(TREE.exec(line)?.[1]));
}
