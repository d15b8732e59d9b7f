import { CmsError, failureOf, unreachable } from './errors.js';
import { queryString, type Query } from './query-string.js';

/** Methods of requests. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a request sends. */
export interface Call {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Whether the request may go on when its page is left. */
  readonly keepalive?: boolean;
}

/** @returns the body of the answer; `undefined`: it has none */
export type Send = (method: Method, path: string, call?: Call) => Promise<unknown>;

/** Where the service is, and how patient a client is with it. */
export interface TransportOptions {
  /** Where the service is: `https://cms.example.com`, or a path below it. */
  readonly url: string;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
  /** Milliseconds that an answer may take; 30,000 without it. */
  readonly timeout?: number;
}

const ofBrowser: typeof fetch = (...request) => globalThis.fetch(...request);

/** Sends requests by `fetch`, once and without a credential. Cookies of the service go along. */
export function transportOver({ url, timeout = 30_000, fetch: send = ofBrowser }: TransportOptions): Send {
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

function initOf({ body, headers, keepalive = false }: Call): RequestInit {
  const common = { keepalive, credentials: 'include' } as const;
  if (body === undefined) return { ...common, headers: { ...headers } };
  return { ...common, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
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
