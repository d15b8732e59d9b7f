import dns from 'node:dns';
import { Socket, isIP } from 'node:net';
import type { Logger } from 'pino';
import { placesIn, type Destination } from '../../config/values/egress-settings.js';
import type { Settings } from '../../config/settings.js';

/** Addresses of named hosts that are remembered. */
const MAX_ANSWERS = 1_000;

/** Places that may be connected to: those that settings name, and the addresses that their names lead to. */
export class Destinations {
  private readonly named: ReadonlyMap<string, ReadonlySet<number>>;
  private readonly answers = new Map<string, ReadonlySet<number>>();

  constructor(places: readonly Destination[]) {
    const named = new Map<string, Set<number>>();
    for (const { host, port } of places) {
      const key = plainHost(host);
      named.set(key, new Set([port, ...(named.get(key) ?? [])]));
    }
    this.named = named;
  }

  has({ host, port }: Destination): boolean {
    const key = plainHost(host);
    return [this.named, this.answers].some((ports) => ports.get(key)?.has(port));
  }

  /** What a name was resolved to: some clients look up the name themselves, and connect to an address. */
  learn(host: string, answer: unknown): void {
    const ports = this.named.get(plainHost(host));
    if (ports === undefined) return;
    for (const address of addressesIn(answer)) {
      if (this.answers.size >= MAX_ANSWERS) this.answers.clear();
      this.answers.set(address, new Set([...ports, ...(this.answers.get(address) ?? [])]));
    }
  }
}

/** `[::1]` and `::1` are one host, and so are `Example.com.` and `example.com`. */
function plainHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** Of `lookup` and `resolve4`: `'10.0.0.1'`, `['10.0.0.1']` or `[{ address: '10.0.0.1', … }]`. */
function addressesIn(answer: unknown): string[] {
  if (typeof answer === 'string') return isIP(answer) === 0 ? [] : [answer];
  if (Array.isArray(answer)) return answer.flatMap(addressesIn);
  return typeof answer === 'object' && answer !== null && 'address' in answer ? addressesIn(answer.address) : [];
}

/** Refused before a packet left this machine. */
class EgressRefusedError extends Error {
  readonly code = 'EGRESS_REFUSED';

  constructor({ host, port }: Destination) {
    super(`${host}:${port} is in no setting, and EGRESS is listed. If the service needs it, add it to EGRESS_HOSTS.`);
  }
}

/**
 * With `EGRESS=listed`, lets this process connect only to places that its settings name. Every TCP connection of Node.js,
 * whatever library opens it, goes through `Socket.connect`. It stays so to the end of the process.
 */
export function limitEgress(settings: Settings, log: Logger): void {
  if (!settings.egress.isListed) return;
  const destinations = new Destinations(placesIn(settings));
  wrap(Socket.prototype, 'connect', (connect) => {
    return function guarded(this: Socket, ...args: unknown[]): unknown {
      const target = targetOf(args);
      if (target === null || destinations.has(target)) return Reflect.apply(connect, this, args);
      log.warn(target, 'a connection was refused: no setting names this address, and EGRESS is listed');
      return this.destroy(new EgressRefusedError(target));
    };
  });
  const learning: Wrapper = (ask) => {
    return function learned(this: unknown, ...args: unknown[]): unknown {
      return Reflect.apply(ask, this, heard(args, destinations));
    };
  };
  wrap(dns, 'lookup', learning);
  wrap(dns.Resolver.prototype, 'resolve4', learning);
  wrap(dns.Resolver.prototype, 'resolve6', learning);
}

type Method = (this: never, ...args: never[]) => unknown;
type Wrapper = (method: Method) => (...args: unknown[]) => unknown;

/** Puts a function in the place of a method. Properties of the method, by which `promisify` knows it, stay. */
function wrap(owner: object, name: string, wrapper: Wrapper): void {
  const method = Reflect.get(owner, name) as Method; // of Node.js, which documents it
  const wrapped = Object.defineProperties(wrapper(method), Object.getOwnPropertyDescriptors(method));
  Object.defineProperty(owner, name, { value: wrapped, writable: true, configurable: true, enumerable: true });
}

/** Where a socket is to connect; `null`: to a socket of this machine by its path, or nowhere. */
function targetOf([first, second]: readonly unknown[]): Destination | null {
  // `net.connect` hands on its arguments in a list.
  const options: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof options === 'object' && options !== null) return targetOfOptions(options);
  const host = typeof second === 'string' ? second : 'localhost';
  return isPort(options) ? { host, port: Number(options) } : null;
}

function targetOfOptions(options: { host?: unknown; port?: unknown; path?: unknown }): Destination | null {
  const { host, port, path } = options;
  if (Boolean(path) || !isPort(port)) return null;
  return { host: typeof host === 'string' && host !== '' ? host : 'localhost', port: Number(port) };
}

function isPort(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}

/** The arguments of a question for a name, whose answer is remembered before the one who asks gets it. */
function heard(args: readonly unknown[], destinations: Destinations): unknown[] {
  const [host, answered] = [args[0], args.at(-1)];
  if (typeof host !== 'string' || typeof answered !== 'function') return [...args];
  const remembering = (error: unknown, answer: unknown, ...rest: unknown[]): void => {
    if (!error) destinations.learn(host, answer);
    Reflect.apply(answered, undefined, [error, answer, ...rest]);
  };
  return [...args.slice(0, -1), remembering];
}
