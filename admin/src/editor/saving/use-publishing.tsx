import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showUndo } from '../../common/undo.js';
import { tellDone, tellFailure } from '../../common/telling.js';
import { words } from '../../words.js';
import type { Editing } from './editing.js';
import { writeAgain } from './editings.js';
import { faultsOf } from './parts.js';

/** Actions that change the public record, with a notice of their outcome. */
export interface Publishing {
  readonly isBusy: boolean;
  /** True if the last try was refused, so that all that is missing is to be said. */
  readonly isAsked: boolean;
  readonly save: () => Promise<void>;
  readonly publish: () => Promise<void>;
  readonly unpublish: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

export function usePublishing(editing: Editing): Publishing {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);

  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
      await queries.invalidateQueries({ queryKey: ['types'] });
    } catch (error) {
      // Faults of fields stand in the summary, and at their fields.
      if (faultsOf(error).length === 0) tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const tried = async (work: Promise<boolean>): Promise<boolean> => {
    setAsked(false);
    const isDone = await work.catch((error: unknown) => {
      setAsked(true);
      throw error;
    });
    setAsked(!isDone);
    return isDone;
  };
  const say = (work: Promise<boolean>, message: string) =>
    tried(work).then((isDone) => isDone && tellDone({ color: 'teal', message }));

  return {
    isBusy,
    isAsked,
    save: () => run(() => tried(editing.save())),
    publish: () => run(() => say(editing.publish(), words.editor.published)),
    unpublish: () => run(() => say(editing.unpublish(), words.editor.unpublished)),
    discard: () =>
      run(async () => {
        const forgotten = await editing.discard();
        showUndo(words.editor.discarded, () => writeAgain(editing, forgotten));
      }),
  };
}
