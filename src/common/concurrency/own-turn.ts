import { setImmediate as nextTurn } from 'node:timers/promises';

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
