import autocannon from 'autocannon';
import { CONNECTIONS } from './options.js';
import { AUTHORIZATION, type ServiceProcess } from './service.js';

/** A request to measure. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bearer token; the one of the settings where it is not said. */
  readonly token?: string;
}

/** Requests of one kind, and what every answer to them has to be. */
export interface Work {
  /** The next request; each may be another one. */
  readonly next: () => Call;
  /** @throws {Error} the answer is not the right one */
  readonly check: (answer: Body, call: Call) => void;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever JSON the service answers
export type Body = any;

/** Figures of a service under load. */
export interface Figures {
  readonly perSecond: number;
  /** CPU of the server process for one request. */
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Prepared before the clock runs; enough for no request to come twice soon. */
const CALLS_PER_CLIENT = 2_000;
const TIMEOUT_SECONDS = 20;

export function headersOf(call: Call): Record<string, string> {
  const authorization = call.token === undefined ? AUTHORIZATION : `Bearer ${call.token}`;
  return { authorization, ...call.headers, ...(call.body ? { 'content-type': 'application/json' } : {}) };
}

/** One request, its answer checked. */
export async function ask({ url }: ServiceProcess, call: Call, check?: Work['check']): Promise<Body> {
  const response = await fetch(url + call.path, {
    method: call.method,
    headers: headersOf(call),
    body: call.body ? JSON.stringify(call.body) : null,
    signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call.method} ${call.path} answered ${response.status}: ${text.slice(0, 300)}`);
  const answer: Body = JSON.parse(text);
  check?.(answer, call);
  return answer;
}

/** Has the service compiled and its caches filled; every answer is checked. Returns how many there were. */
export async function warmUp(service: ServiceProcess, { next, check }: Work, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let checked = 0;
  const client = async () => {
    while (performance.now() < end) {
      await ask(service, next(), check);
      checked += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return checked;
}

/** @throws {Error} a single answer was no success */
export async function measure(service: ServiceProcess, { next }: Work, seconds: number): Promise<Figures> {
  const times: number[] = [];
  const cpu = service.cpuSeconds();
  let started = 0;
  let ended = 0;
  const run = autocannon({
    url: service.url,
    connections: CONNECTIONS,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    setupClient: (client) => {
      client.setRequests(Array.from({ length: CALLS_PER_CLIENT }, () => prepared(next())));
      started = performance.now();
    },
  });
  run.on('response', (_client: unknown, _status: number, _bytes: number, ms: number) => {
    times.push(ms);
    ended = performance.now();
  });
  const { non2xx, errors, timeouts } = await run;
  if (non2xx + errors + timeouts > 0) throw new Error(`${non2xx} refusals, ${errors} errors, ${timeouts} timeouts.`);
  times.sort((a, b) => a - b);
  return {
    perSecond: (times.length / (ended - started)) * 1000,
    cpuMicros: ((service.cpuSeconds() - cpu) / times.length) * 1e6,
    p50Ms: times[Math.floor(times.length * 0.5)] ?? NaN,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? NaN,
  };
}

function prepared(call: Call) {
  const { method, path, body } = call;
  return { method, path, headers: headersOf(call), ...(body ? { body: JSON.stringify(body) } : {}) };
}
