import { AsyncResource } from 'node:async_hooks';

/** Made while the service starts, so that no request is under way in it. */
const outside = new AsyncResource('background');

/**
 * Runs work that is begun within a request, or by a timer that is set within one, and is no part of it: neither the
 * mark of what the request has committed (`commit-mark.ts`) nor its unit of work is handed on.
 */
export function inBackground<Result>(work: () => Result): Result {
  return outside.runInAsyncScope(work);
}
