import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken } from '../common/failure.js';
import { showUndo } from '../common/undo.js';
import { tellDone, tellFailure } from '../common/telling.js';
import { copies, type Opened } from '../editor/saving/working-copy.js';
import { words } from '../words.js';
import { formerPart, stateOf, type CopiedPart } from './copied-part.js';
import type { Change, Subject } from './history-queries.js';

const t = words.history.copy;

/** An older value that is to be copied. */
interface Copied {
  readonly part: CopiedPart;
  readonly change: Change;
  /** The name of the part for people. */
  readonly label: string;
}

/** The working copy has a value of its own, so that it has to be asked. */
export interface Clash extends Copied {
  readonly opened: Opened;
}

interface CopyLeft {
  readonly isBusy: boolean;
  readonly clash: Clash | null;
  readonly copy: (copied: Copied) => void;
  /** The older value takes the place of what the working copy has. */
  readonly replace: (clash: Clash) => void;
  /** The working copy stays as it is. */
  readonly keep: () => void;
}

/** Queries that show a record, and its changes that are not public yet. */
const SHOWN = ['opened', 'edited', 'list'];

/** Copies older values into the working copy of a record. What is written there is never lost without a question. */
export function useCopyLeft(of: Subject, seesDrafts: boolean): CopyLeft {
  const [isBusy, setBusy] = useState(false);
  const [clash, setClash] = useState<Clash | null>(null);
  const { open, write } = useWorkingCopy(of, seesDrafts);

  async function copy(copied: Copied): Promise<void> {
    const opened = await open();
    const state = stateOf(opened, copied.part);
    if (state === 'same') tellDone({ message: t.same(copied.label) });
    else if (state === 'other') setClash({ ...copied, opened });
    else await write(opened, copied);
  }

  /** Runs one step. What others have written between reading and writing is asked about. */
  function run(copied: Copied, step: () => Promise<void>): void {
    const done = async (): Promise<void> => {
      setBusy(true);
      setClash(null);
      try {
        await step();
      } catch (error) {
        if (!isOvertaken(error) || !seesDrafts) return tellFailure(error);
        await open().then((opened) => setClash({ ...copied, opened }), tellFailure);
      } finally {
        setBusy(false);
      }
    };
    void done();
  }

  return {
    isBusy,
    clash,
    copy: (copied) => run(copied, () => copy(copied)),
    replace: (asked) => run(asked, () => write(asked.opened, asked)),
    keep: () => setClash(null),
  };
}

/** Reads and writes the working copy. A write can be taken back. */
function useWorkingCopy({ type, id }: Subject, seesDrafts: boolean) {
  const queries = useQueryClient();
  const save = async (opened: Opened, { name, value }: CopiedPart): Promise<Opened> => {
    const saved = await copies.save(opened, { [name]: value });
    for (const key of SHOWN) await queries.invalidateQueries({ queryKey: [key] });
    return saved;
  };
  return {
    open: () => copies.open(type, id, seesDrafts),
    write: async (opened: Opened, { part, label }: Copied): Promise<void> => {
      const saved = await save(opened, part);
      showUndo(t.done(label), () => {
        save(saved, formerPart(opened, part)).then(() => tellDone({ message: t.undone }), tellFailure);
      });
    },
  };
}
