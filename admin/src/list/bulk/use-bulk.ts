import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { tellDone } from '../../common/telling.js';
import { showUndo } from '../../common/undo.js';
import { words } from '../../words.js';
import {
  changedOnTheWay,
  countsOf,
  failuresOf,
  leftOf,
  ordersOf,
  undoOf,
  type BulkAction,
  type BulkNote,
  type BulkOrder,
  type BulkResult,
  type ChosenTerms,
} from './bulk-orders.js';
import { runBulk, type BulkProgress } from './bulk-run.js';

const t = words.list.bulk;

/** The action on many records that is under way. */
export interface Bulk {
  /** `null`: nothing is under way. */
  readonly progress: BulkProgress | null;
  /** Records with which the last action did not work. */
  readonly failed: readonly BulkNote[];
  /** Records that came back out of the trash otherwise than they went there. */
  readonly otherwise: readonly BulkNote[];
  /** Titles of the records of the last action. */
  readonly titles: ReadonlyMap<number, string>;
  /** @returns ids of records with which it did not work, or which it did not reach */
  readonly run: (
    action: BulkAction,
    records: ReadonlyMap<number, string>,
    terms?: ChosenTerms,
  ) => Promise<ReadonlySet<number>>;
  readonly stop: () => void;
  readonly dismiss: () => void;
}

const NO_NOTES = { failed: [], otherwise: [] };
/** Queries that show records, and terms with their numbers of uses. */
const SHOWN = ['list', 'types', 'edited', 'terms', 'taxonomy'];

/** Does things with many records of a type, says how it went, and offers to take it back. */
export function useBulk(type: string): Bulk {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Bulk['progress']>(null);
  const [notes, setNotes] = useState<Pick<Bulk, 'failed' | 'otherwise'>>(NO_NOTES);
  const [titles, setTitles] = useState<ReadonlyMap<number, string>>(new Map());
  const ending = useRef(new AbortController());

  async function carryOut(orders: readonly BulkOrder[]): Promise<readonly BulkResult[]> {
    ending.current = new AbortController();
    const results = await runBulk(type, orders, setProgress, ending.current.signal);
    setProgress(null);
    setNotes({ failed: failuresOf(results), otherwise: changedOnTheWay(results) });
    for (const name of SHOWN) await queries.invalidateQueries({ queryKey: [name] });
    return results;
  }

  async function takeBack(orders: readonly BulkOrder[]): Promise<void> {
    const { changed, unchanged } = countsOf(await carryOut(orders));
    const [order] = orders;
    const done = order?.terms ? t.done.status : t.done[order?.action ?? 'status'];
    if (changed + unchanged > 0) tellDone({ message: done(changed + unchanged) });
  }

  return {
    progress,
    ...notes,
    titles,
    run: async (action, records, terms) => {
      setTitles(records);
      const results = await carryOut(ordersOf(action, [...records.keys()], terms));
      const { changed, unchanged } = countsOf(results);
      const sentence = sentenceOf(action, changed, unchanged);
      const undo = undoOf(results);
      if (undo.length > 0) showUndo(sentence, () => void takeBack(undo));
      else if (unchanged > 0 || changed > 0) tellDone({ message: sentence });
      return leftOf(results);
    },
    stop: () => ending.current.abort(),
    dismiss: () => setNotes(NO_NOTES),
  };
}

function sentenceOf(action: BulkAction, changed: number, unchanged: number): string {
  return [
    ...(changed > 0 || unchanged === 0 ? [t.done[action](changed)] : []),
    ...(unchanged > 0 ? [t.unchanged(unchanged)] : []),
  ].join('; ');
}
