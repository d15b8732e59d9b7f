import { showNotification } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { showUndo } from '../../common/undo.js';
import { words } from '../../words.js';
import {
  changedOnTheWay,
  runBulk,
  undoOf,
  type BulkAction,
  type BulkNote,
  type BulkOrder,
  type BulkResult,
} from './bulk-run.js';

const t = words.list.bulk;

/** What is done with many records at the moment. */
export interface Bulk {
  /** `null`: nothing is under way. */
  readonly progress: { readonly through: number; readonly of: number } | null;
  /** Records with which the last action did not work. */
  readonly failed: readonly BulkNote[];
  /** Records that came back out of the trash otherwise than they went there. */
  readonly otherwise: readonly BulkNote[];
  /** Titles of the records of the last action. */
  readonly titles: ReadonlyMap<number, string>;
  /** @returns what became of them */
  readonly run: (action: BulkAction, records: ReadonlyMap<number, string>) => Promise<BulkResult>;
  readonly stop: () => void;
  readonly dismiss: () => void;
}

const NO_NOTES = { failed: [], otherwise: [] };

/** Does things with many records of a type, says how it went, and offers to take it back. */
export function useBulk(type: string): Bulk {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Bulk['progress']>(null);
  const [notes, setNotes] = useState<Pick<Bulk, 'failed' | 'otherwise'>>(NO_NOTES);
  const [titles, setTitles] = useState<ReadonlyMap<number, string>>(new Map());
  const ending = useRef(new AbortController());

  async function carryOut(orders: readonly BulkOrder[]): Promise<BulkResult> {
    ending.current = new AbortController();
    const all = await runAll(type, orders, setProgress, ending.current.signal);
    setProgress(null);
    setNotes({ failed: all.failed, otherwise: changedOnTheWay(all.done) });
    for (const queryKey of [['list'], ['types'], ['edited']]) await queries.invalidateQueries({ queryKey });
    return all;
  }

  async function takeBack(orders: readonly BulkOrder[]): Promise<void> {
    const { done } = await carryOut(orders);
    if (done.length > 0) showNotification({ message: t.done[orders[0]?.action ?? 'status'](done.length) });
  }

  return {
    progress,
    ...notes,
    titles,
    run: async (action, records) => {
      setTitles(records);
      const result = await carryOut([{ action, items: [...records.keys()].map((id) => ({ id })) }]);
      const changed = result.done.filter((one) => one.changed).length;
      const sentence = sentenceOf(action, changed, result.done.length - changed);
      const undo = undoOf(action, result.done);
      if (undo.length > 0) showUndo(sentence, () => void takeBack(undo));
      else if (result.done.length > 0) showNotification({ message: sentence });
      return result;
    },
    stop: () => ending.current.abort(),
    dismiss: () => setNotes(NO_NOTES),
  };
}

async function runAll(
  type: string,
  orders: readonly BulkOrder[],
  onProgress: (progress: Bulk['progress']) => void,
  signal: AbortSignal,
): Promise<BulkResult> {
  const results: BulkResult[] = [];
  for (const order of orders) {
    const of = order.items.length;
    onProgress({ through: 0, of });
    results.push(await runBulk(type, order, (through) => onProgress({ through, of }), signal));
  }
  return { done: results.flatMap(({ done }) => done), failed: results.flatMap(({ failed }) => failed) };
}

function sentenceOf(action: BulkAction, changed: number, unchanged: number): string {
  return [
    ...(changed > 0 || unchanged === 0 ? [t.done[action](changed)] : []),
    ...(unchanged > 0 ? [t.unchanged(unchanged)] : []),
  ].join('; ');
}
