import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn. */
const LONG_MS = 5;

let last: Promise<unknown> = Promise.resolve();

/**
 * Waits for a turn of the event loop of its own. Long work is cut into pieces of some milliseconds; of all that is
 * under way in the process one piece runs in each turn, so that sockets, timers and short requests come in between.
 */
export function ownTurn(): Promise<void> {
  const turn = last.then(() => nextTurn());
  last = turn;
  return turn;
}

/** When the first piece of work of the present turn began, as far as {@link turnIfLong} was asked; `null`: not yet. */
let begun: number | null = null;

/**
 * Between two pieces of work whose length depends on what is in a body or in a record: waits for a turn of its own once
 * the pieces of the present turn have taken some milliseconds together, and otherwise for nothing.
 */
export async function turnIfLong(): Promise<void> {
  if (begun !== null && performance.now() - begun < LONG_MS) return;
  if (begun !== null) await ownTurn();
  begun = performance.now();
  setImmediate(() => (begun = null));
}
