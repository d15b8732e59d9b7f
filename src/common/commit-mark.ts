import { AsyncLocalStorage } from 'node:async_hooks';

export interface CommitMark {
  isCommitted: boolean;
}

const marks = new AsyncLocalStorage<CommitMark>();
let requests = 0;

/**
 * Carries out a request that may write. Its units of work note on its mark that they are committed.
 * Up to Node 22 a mark slows every promise of the process, so it is taken off while no such request is under way.
 */
export async function withCommitMark<Result, Given extends unknown[]>(
  work: (...given: Given) => Promise<Result>,
  ...given: Given
): Promise<Result> {
  requests += 1;
  try {
    return await marks.run({ isCommitted: false }, work, ...given);
  } finally {
    requests -= 1;
    if (requests === 0) marks.disable();
  }
}

/** The mark of the request that the calling code works for; none for what is done beside all requests. */
export function commitMark(): CommitMark | undefined {
  return marks.getStore();
}
