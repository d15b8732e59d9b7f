import dns from 'node:dns';
import { Socket } from 'node:net';
import type { Logger } from 'pino';
import { placesIn, type Destination } from '../../config/values/egress-settings.js';
import type { Settings } from '../../config/settings.js';
import { Destinations } from './destinations.js';

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
