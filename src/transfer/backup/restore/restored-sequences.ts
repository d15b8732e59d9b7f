import { raiseNextIds, type NextIds } from '../../../database/statements/next-ids.js';
import { Reads } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Writer } from '../../../database/statements/writer.js';
import { ReferencedIds, type ReadSnapshots } from '../referenced-ids.js';

interface Ids {
  /** The next ids of the backup. */
  readonly recorded: NextIds;
  /** Whether to look through all contents, too. */
  readonly isThorough: boolean;
  readonly snapshots: ReadSnapshots;
}

/**
 * Advances the id sequences of a restored database, so that no id is assigned a second time. References to ids count
 * beside the recorded values: the database of the backup may have assigned ids twice itself.
 */
export async function advanceSequences(writer: Writer, { recorded, isThorough, snapshots }: Ids): Promise<void> {
  const mentioned = await new ReferencedIds(new Reads(writer.source)).inColumns();
  if (isThorough) await mentioned.inContents(snapshots);
  const found = mentioned.nextIds();
  await new UnitOfWork(writer).run(async (manager) => {
    await raiseNextIds(manager, writer.dialect, found);
    await raiseNextIds(manager, writer.dialect, recorded);
  });
}
