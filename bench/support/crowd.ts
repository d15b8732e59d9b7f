import { ask } from './load.js';
import { updateOf } from './cases.js';
import type { ServiceProcess } from './service.js';

/** More clients than the pool has connections, all at once. */
export const CROWD = 200;

/** One update for each id, all at the same time. @throws {Error} one of them fails or hangs */
export async function updateTogether(service: ServiceProcess, ids: readonly number[]): Promise<number> {
  const started = performance.now();
  const answers = await Promise.all(ids.map((id) => ask(service, updateOf(id))));
  const ms = performance.now() - started;
  requireAllKept(
    ids,
    answers.map(({ data }) => data.version as number),
  );
  return ms;
}

/** Updates of one record have to have made as many versions. */
function requireAllKept(ids: readonly number[], versions: readonly number[]): void {
  if (new Set(ids).size > 1) return;
  const [lowest, highest] = [Math.min(...versions), Math.max(...versions)];
  if (highest - lowest !== ids.length - 1 || new Set(versions).size !== ids.length) {
    throw new Error(`${ids.length} updates of one record have made the versions ${lowest} to ${highest}.`);
  }
}
