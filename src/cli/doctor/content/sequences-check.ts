import { readNextIds, type NextIds } from '../../../database/statements/next-ids.js';
import { Reads } from '../../../database/statements/reads.js';
import { soundSnapshots } from '../../../revisions/history/sound-snapshots.js';
import { ReferencedIds } from '../../../transfer/backup/referenced-ids.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

/** Finds tables that would hand out an id that something else still mentions, as rows that were copied by hand leave them. */
export const sequencesCheck: Check<OpenDatabase> = {
  name: 'sequences',
  async look({ source, dialect }, isDeep) {
    const mentioned = await new ReferencedIds(new Reads(source)).inColumns();
    if (isDeep) await mentioned.inContents(soundSnapshots);
    const runner = source.createQueryRunner();
    try {
      return seen(await readNextIds(runner, dialect), mentioned.nextIds());
    } finally {
      await runner.release();
    }
  },
};

function seen(nextIds: NextIds, free: NextIds): CheckResult[] {
  const reused = Object.entries(free).filter(([table, id]) => (nextIds[table] ?? id) < id);
  if (reused.length === 0) return [{ ok: true, message: 'no id is handed out twice' }];
  return reused.map(([table, id]) => ({
    ok: false,
    message: `${table} would hand out the id ${nextIds[table]}, and ids up to ${id - 1} are mentioned elsewhere. To mend it, make a backup and restore it with --verify.`,
  }));
}
