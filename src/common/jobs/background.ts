import { AsyncResource } from 'node:async_hooks';

/** Made while the service starts, so that no request is under way in it. */
const outside = new AsyncResource('background');

/** Runs work that is no part of the request that begins it: it gets neither its commit mark nor its unit of work. */
export function inBackground<Result>(work: () => Result): Result {
  return outside.runInAsyncScope(work);
}
