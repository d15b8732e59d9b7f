import { CmsError, failureOf, unreachable } from './errors.js';
import { queryString, type Query } from './query-string.js';

/** Methods of requests. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request to send. */
export interface Call {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A name of its own for a request that the service carries out once by it, such as `crypto.randomUUID()`. It is sent
   * again while its answer may be lost; to send it again later, give the same key.
   */
  readonly idempotencyKey?: string;
  /** Ends the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** True if the request may go on when its page is left. */
  readonly keepalive?: boolean;
}

/** @returns the body of the answer; `undefined`: it has none */
export type Send = (method: Method, path: string, call?: Call) => Promise<unknown>;

/** The address of the service, and the patience of a client. */
export interface TransportOptions {
  /** The address of the service: `https://cms.example.com`, or a path below it. */
  readonly url: string;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
  /** Milliseconds that an answer may take; 30,000 without it. */
  readonly timeout?: number;
  /** Milliseconds before a request with a key is sent again, for each time that it is; 500 and 2,000 without it. */
  readonly pauses?: readonly number[];
}

/** Statuses of answers that do not say whether a request was carried out, or ask for another try; 0: no answer. */
const LOST = new Set([0, 502, 503, 504]);

const ofBrowser: typeof fetch = (...request) => globalThis.fetch(...request);

/** Sends requests by `fetch`, without a credential, and once if they have no key. Cookies of the service go along. */
export function transportOver({ pauses = [500, 2_000], ...options }: TransportOptions): Send {
  const send = onceOver(options);
  return async (method, path, call = {}) => {
    for (const pause of call.idempotencyKey === undefined ? [] : pauses) {
      try {
        return await send(method, path, call);
      } catch (error) {
        if (!(error instanceof CmsError) || !LOST.has(error.status)) throw error;
        await passed(Math.max(pause, (error.retryAfter ?? 0) * 1_000), call.signal);
      }
    }
    return send(method, path, call);
  };
}

/** @throws the reason of a signal that ends the wait */
function passed(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', end, { once: true });
  });
}

function onceOver({ url, timeout = 30_000, fetch: send = ofBrowser }: Omit<TransportOptions, 'pauses'>): Send {
  const base = url.replace(/\/+$/, '');
  return async (method, path, call = {}) => {
    const { query = {}, signal } = call;
    const limit = AbortSignal.timeout(timeout);
    try {
      const response = await send(base + path + queryString(query), {
        ...initOf(call),
        method,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return bodyOf(response, await response.text());
    } catch (error) {
      if (error instanceof CmsError || signal?.aborted === true) throw error;
      throw unreachable(error);
    }
  };
}

function initOf({ body, headers, idempotencyKey: key, keepalive = false }: Call): RequestInit {
  const common = { keepalive, credentials: 'include' } as const;
  const sent = key === undefined ? { ...headers } : { ...headers, 'Idempotency-Key': key };
  if (body === undefined) return { ...common, headers: sent };
  return { ...common, headers: { ...sent, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** @throws {CmsError} for an answer that says so, and for one that cannot be read */
function bodyOf(response: Response, text: string): unknown {
  const body = parsed(text);
  if (response.ok && (body !== null || text === '')) return body ?? undefined;
  throw failureOf(response, body);
}

/** `null`: it is no JSON object. */
function parsed(text: string): object | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
}
