import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import type { TraceParent } from './trace-parent.js';

/** Up to this version of Node an `AsyncLocalStorage` in use slows every promise of the process: a read took half as long again. */
const LAST_SLOW_NODE = 23;
const isCheap = Number(process.versions.node.split('.')[0]) > LAST_SLOW_NODE;

/** What is known of a request wherever it is worked for. */
export interface RequestScope {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly trace?: TraceParent | null;
  /** That of Express, once there is one. */
  readonly route?: unknown;
}

const scopes = new AsyncLocalStorage<RequestScope>();
let open = 0;

/**
 * Makes requests known to what works for them ({@link currentRequest}): all of them where that costs nothing or is asked
 * for, otherwise those that belong to a trace, but for reads of content.
 *
 * @param isAskedFor whether all requests are to be known, whatever it costs
 */
export function requestScope(isAskedFor: boolean): (request: Request, response: Response, next: NextFunction) => void {
  const isAlways = isCheap || isAskedFor;
  return (incoming, response, next) => {
    const request = incoming as Request & RequestScope;
    if (!isAlways && (!request.trace || isContentRead(request))) {
      next();
      return;
    }
    open += 1;
    response.on('close', () => {
      open -= 1;
      if (open === 0 && !isAlways) scopes.disable();
    });
    scopes.run(request, next);
  };
}

/** The request that the calling code works for, or one of several that share the work; none beside all requests. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** What a line of the log says of the trace that it belongs to. */
export function traceFields(request: Pick<RequestScope, 'trace'> | undefined = currentRequest()): {
  readonly trace_id?: string;
} {
  return request?.trace ? { trace_id: request.trace.traceId } : {};
}

/** What asks no other service for anything. */
function isContentRead({ method, path }: RequestScope): boolean {
  return (method === 'GET' || method === 'HEAD') && path.startsWith('/api/cms/');
}
