import type { Check, OpenDatabase } from '../check.js';

const MOST_NAMED = 5;

/** Whether the file of SQLite is whole; `--deep` holds its indexes against its tables as well. A server looks after its own. */
export const fileCheck: Check<OpenDatabase> = {
  name: 'file',
  async look({ source, dialect }, isDeep) {
    if (dialect.fileForThreads === null) return [];
    const rows = await source.query<Record<string, string>[]>(isDeep ? 'PRAGMA integrity_check' : 'PRAGMA quick_check');
    const faults = rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
    if (faults.length === 0) return [{ ok: true, message: 'the file is whole' }];
    const shown = faults.slice(0, MOST_NAMED).join('; ');
    return [
      {
        ok: false,
        message: `The file is damaged: ${shown}. Stop the service, keep a copy of the file, and restore the last backup.`,
      },
    ];
  },
};
