import type { Span, SpanContext } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Up to this version of Node an `AsyncLocalStorage` in use slows every promise of the process: a read took half as long again. */
const LAST_SLOW_NODE = 23;
const isCheap = Number(process.versions.node.split('.')[0]) > LAST_SLOW_NODE;

/** Facts about a request for whatever works for it. */
export interface RequestScope {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly trace?: SpanContext | null;
  /** A recorded one. */
  readonly span?: Span;
  readonly route?: unknown;
}

/** Work beside requests that is recorded. */
type RecordedWork = Required<Pick<RequestScope, 'trace' | 'span'>>;

const scopes = new AsyncLocalStorage<RequestScope | RecordedWork>();
let open = 0;

/**
 * Makes requests known to what works for them: all if that is cheap or asked for, otherwise the recorded ones, and those
 * of a trace, but for reads of content.
 */
export function requestScope(isAskedFor: boolean): (request: Request, response: Response, next: NextFunction) => void {
  const isAlways = isCheap || isAskedFor;
  return (incoming, response, next) => {
    const request = incoming as Request & RequestScope;
    if (!isAlways && !request.span && (!request.trace || isContentRead(request))) {
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
  const scope = scopes.getStore();
  return scope && 'id' in scope ? scope : undefined;
}

/** The span that what the calling code asks of others stands below. */
export function currentSpan(): Span | undefined {
  return scopes.getStore()?.span;
}

/** Runs work beside requests whose steps stand below a span. */
export async function withSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  open += 1;
  try {
    return await scopes.run({ span, trace: span.spanContext() }, work);
  } finally {
    open -= 1;
    if (open === 0 && !isCheap) scopes.disable();
  }
}

export function traceFields(scope: Pick<RequestScope, 'trace'> | undefined = scopes.getStore()): {
  readonly trace_id?: string;
} {
  return scope?.trace ? { trace_id: scope.trace.traceId } : {};
}

/** True for a request that asks no other service for anything. */
function isContentRead({ method, path }: RequestScope): boolean {
  return (method === 'GET' || method === 'HEAD') && path.startsWith('/api/cms/');
}

/** Neither an id of zeros nor version ff is one; later versions than the first may have more behind the flags. */
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.{1,400})?$/;
const FIRST_VERSION = '00-';
/** Sampled, and an id that was made at random. */
const KNOWN_FLAGS = 0b11;

/** @returns the step of a trace that led here; `null` if the header is missing or not valid: none is made up */
export function traceParent(header: string | string[] | undefined): SpanContext | null {
  const found = FORM.exec(typeof header === 'string' ? header : '');
  if (!found) return null;
  const [text, traceId = '', spanId = '', flags = '', more] = found;
  if (more !== undefined && text.startsWith(FIRST_VERSION)) return null;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & KNOWN_FLAGS, isRemote: true };
}

/** The header for what is asked in a step of a trace. @see https://www.w3.org/TR/trace-context/ */
export function traceHeader({ traceId, spanId, traceFlags }: SpanContext): string {
  return `${FIRST_VERSION}${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
