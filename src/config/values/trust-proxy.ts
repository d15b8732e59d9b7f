import { BlockList, isIP } from 'node:net';
import { entriesOf, type SettingReader } from './setting-reader.js';

/** `false`: no proxy is trusted. A number: that many hops. A list: these addresses and networks. */
export type TrustProxy = false | number | readonly string[];

const MAX_HOPS = 5;
/** Bits of a network, by the version of IP: shorter ones are of many owners. */
const BITS: Readonly<Record<number, { readonly min: number; readonly max: number }>> = {
  4: { min: 8, max: 32 },
  6: { min: 16, max: 128 },
};

const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

export function trustProxy(reader: SettingReader): TrustProxy {
  const text = reader.text('TRUST_PROXY');
  if (text === undefined) return false;
  if (/^\d+$/.test(text)) return hops(text, reader);
  const networks = entriesOf(text);
  const bad = networks.filter((network) => !isNetwork(network));
  if (bad.length > 0) {
    reader.fault(
      `TRUST_PROXY has "${bad.join(', ')}" and takes a number of hops (TRUST_PROXY=1) or addresses and networks (TRUST_PROXY=10.0.0.0/8). Trusting everybody would let any client choose its own address.`,
    );
  }
  const wide = networks.filter((network) => isNetwork(network) && isWide(network));
  if (wide.length > 0) {
    reader.fault(
      `TRUST_PROXY has "${wide.join(', ')}": name networks of /8 or smaller, of version 6 of /16 or smaller (TRUST_PROXY=10.0.0.0/8). A client in a wider one could choose its own address.`,
    );
  }
  return networks;
}

function hops(text: string, reader: SettingReader): TrustProxy {
  const count = Number(text);
  if (count <= MAX_HOPS) return count || false;
  reader.fault(
    `TRUST_PROXY is ${text} and takes ${MAX_HOPS} hops at most (TRUST_PROXY=1). With more than there are proxies, clients choose their own address.`,
  );
  return false;
}

/** Addresses of version 4 are written as such: as a part of version 6 their bits would count otherwise. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || (version === 6 && MAPPED.check(address, 'ipv6'))) return false;
  return bits === undefined || isPrefix(Number(bits), version);
}

function isPrefix(bits: number, version: number): boolean {
  return bits > 0 && bits <= (BITS[version]?.max ?? 0);
}

function isWide(network: string): boolean {
  const [address = '', bits] = network.split('/');
  if (bits === undefined) return false;
  const version = isIP(address);
  return Number(bits) < (BITS[version]?.min ?? 0) || (version === 6 && holdsMapped(address, Number(bits)));
}

/** True if a network of version 6 has all addresses of version 4 in it, as `::/32` has. */
function holdsMapped(address: string, bits: number): boolean {
  const network = new BlockList();
  network.addSubnet(address, bits, 'ipv6');
  return network.check('::ffff:0:0', 'ipv6');
}
