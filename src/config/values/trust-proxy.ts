import { BlockList, isIP } from 'node:net';
import { list } from './setting-parsers.js';
import type { SettingFaults } from './setting-faults.js';

/** `false`: no proxy is trusted. A number: that many hops. A list: these addresses and networks. */
export type TrustProxy = false | number | readonly string[];

const MAX_HOPS = 5;
/** Fewest bits of a network, by the version of IP: shorter ones are of many owners. */
const MIN_BITS: Readonly<Record<number, number>> = { 4: 8, 6: 16 };
const ALL_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

export function trustProxy(text: string | undefined, faults: SettingFaults): TrustProxy {
  if (text === undefined) return false;
  if (/^\d+$/.test(text)) return hops(text, faults);
  const networks = list(text);
  const bad = networks.filter((network) => !isNetwork(network));
  if (bad.length > 0) {
    faults.add(
      `TRUST_PROXY has "${bad.join(', ')}" and takes a number of hops (TRUST_PROXY=1) or addresses and networks (TRUST_PROXY=10.0.0.0/8). Trusting everybody would let any client choose its own address.`,
    );
  }
  const wide = networks.filter((network) => isNetwork(network) && isWide(network));
  if (wide.length > 0) {
    faults.add(
      `TRUST_PROXY has "${wide.join(', ')}": name networks of /8 or smaller, of version 6 of /16 or smaller (TRUST_PROXY=10.0.0.0/8). A client in a wider one could choose its own address.`,
    );
  }
  return networks;
}

function hops(text: string, faults: SettingFaults): TrustProxy {
  const count = Number(text);
  if (count <= MAX_HOPS) return count || false;
  faults.add(
    `TRUST_PROXY is ${text} and takes ${MAX_HOPS} hops at most (TRUST_PROXY=1). With more than there are proxies, clients choose their own address.`,
  );
  return false;
}

/** Addresses of version 4 are written as such: as a part of version 6 their bits would count otherwise. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || isMapped(address)) return false;
  return bits === undefined || areBits(bits, ALL_BITS[version] ?? 0);
}

function isMapped(address: string): boolean {
  return isIP(address) === 6 && MAPPED.check(address, 'ipv6');
}

function areBits(text: string, most: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) > 0 && Number(text) <= most;
}

function isWide(network: string): boolean {
  const [address = '', bits] = network.split('/');
  if (bits === undefined) return false;
  const version = isIP(address);
  return Number(bits) < (MIN_BITS[version] ?? 0) || (version === 6 && holdsMapped(address, Number(bits)));
}

/** Whether a network of version 6 has all addresses of version 4 in it, as `::/32` has. */
function holdsMapped(address: string, bits: number): boolean {
  const network = new BlockList();
  network.addSubnet(address, bits, 'ipv6');
  return network.check('::ffff:0:0', 'ipv6');
}
