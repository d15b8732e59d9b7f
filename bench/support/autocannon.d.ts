/** The part of autocannon that is used here; the package has no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Request {
    readonly method: string;
    readonly path: string;
    readonly body?: string;
    readonly headers: Readonly<Record<string, string>>;
  }

  interface Client {
    setRequests(requests: readonly Request[]): void;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly timeout: number;
    readonly setupClient: (client: Client) => void;
  }

  interface Result {
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly resets: number;
  }

  export default function autocannon(options: Options): EventEmitter & PromiseLike<Result>;
}
