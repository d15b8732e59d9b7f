import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';

/** The beginning of each unit of work. It throws where the unit must not be committed. */
export type Fence = (manager: EntityManager) => Promise<void>;

const fences = new AsyncLocalStorage<Fence>();
let fenced = 0;

/**
 * Runs work whose units each begin with a fence. Up to Node 22 it slows every promise of the process down, so it is
 * taken off while no such work is under way.
 */
export async function withFence<Result>(fence: Fence, work: () => Promise<Result>): Promise<Result> {
  fenced += 1;
  try {
    return await fences.run(fence, work);
  } finally {
    fenced -= 1;
    if (fenced === 0) fences.disable();
  }
}

/** The fence of the work that the calling code is a part of. */
export function fenceOfWork(): Fence | undefined {
  return fences.getStore();
}
