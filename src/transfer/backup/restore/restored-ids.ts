import { raiseNextIds, type NextIds } from '../../../database/statements/next-ids.js';
import { Reads } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Writer } from '../../../database/statements/writer.js';
import type { RecordHistory } from '../../../records/record-history.port.js';
import { MentionedIds } from '../mentioned-ids.js';

interface Ids {
  /** What the backup says; one of an early version says nothing. */
  readonly said: NextIds | undefined;
  /** Whether to look through all contents, too: always where nothing is said. */
  readonly isThorough: boolean;
  readonly history: RecordHistory;
}

/**
 * Has a restored database count its ids on from where they were, so that none is handed out a second time. What others
 * mention is looked at besides: the backup may be of a database that had lost count itself.
 */
export async function continueIds(writer: Writer, { said, isThorough, history }: Ids): Promise<void> {
  const mentioned = await new MentionedIds(new Reads(writer.source)).inColumns();
  if (isThorough || !said) await mentioned.inContents(history);
  const found = mentioned.nextIds();
  await new UnitOfWork(writer).run(async (manager) => {
    await raiseNextIds(manager, writer.dialect, found);
    await raiseNextIds(manager, writer.dialect, said ?? {});
  });
}
