import { showNotification } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { tellFailure } from '../../common/use-trash.js';
import { words } from '../../words.js';
import type { Editing } from './editing.js';

/** What changes what the public sees, with a word about how it went. */
export interface Publishing {
  readonly isBusy: boolean;
  /** Grows when the text in the inputs was replaced. */
  readonly round: number;
  readonly save: () => Promise<void>;
  readonly publish: () => Promise<void>;
  readonly unpublish: () => Promise<void>;
  readonly discard: () => Promise<void>;
  /** Draws the inputs anew. */
  readonly redraw: () => void;
}

export function usePublishing(editing: Editing): Publishing {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const redraw = () => setRound((n) => n + 1);

  const run = async (work: () => Promise<boolean>, sentence: string | null): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      if ((await work()) && sentence !== null) showNotification({ color: 'teal', message: sentence });
      await queries.invalidateQueries({ queryKey: ['types'] });
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return {
    isBusy,
    round,
    redraw,
    save: () => run(() => editing.save(), null),
    publish: () => run(() => editing.publish(), words.editor.published),
    unpublish: () => run(() => editing.unpublish(), words.editor.unpublished),
    discard: async () => {
      await run(() => editing.discard(), words.editor.discarded);
      redraw();
    },
  };
}
