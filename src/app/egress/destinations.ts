import { isIP } from 'node:net';
import type { Destination } from '../../config/values/egress-settings.js';

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
