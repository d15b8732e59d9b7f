import { normalizeIp } from '@nestjs/throttler';
import { isIP } from 'node:net';

/** All bits of an address of version 6. */
const WHOLE = 128;
/** The part of such an address that one household or one machine has for itself. */
const NETWORK = 64;
/** What a customer line or a rented server often has of such addresses, and how many clients that counts as. */
const WIDER_NETWORKS = [
  { prefix: 56, factor: 4 },
  { prefix: 48, factor: 16 },
] as const;
const MASKED = /\/\d+$/;

/** What an address is called that is none. All clients without one are taken for the same client. */
const NO_ADDRESS = 'unknown';

/**
 * One spelling for each address: `::FFFF:192.0.2.1`, `192.0.2.1:4711` -> `192.0.2.1`. Some proxies put a port behind it.
 *
 * @param ip of a request, by the rules of `TRUST_PROXY`: the text of a header, where a proxy is trusted
 */
export function clientAddress(ip: string | undefined): string {
  const bare = withoutPort(ip ?? '');
  return isIP(bare) === 0 ? NO_ADDRESS : normalizeIp(bare, WHOLE).replace(MASKED, '');
}

/** What requests of one client are counted by. */
export interface ClientNetwork {
  readonly key: string;
  /** How many times the limit of one client it may use. */
  readonly factor: number;
}

/** An address of version 4, or the /64 of one of version 6: what one client is counted by. */
export function clientNetwork(ip: string | undefined): string {
  return normalizeIp(clientAddress(ip), NETWORK);
}

/** An address of version 4, or the /64, /56 and /48 of one of version 6, the narrowest first. */
export function clientNetworks(ip: string | undefined): readonly [ClientNetwork, ...ClientNetwork[]] {
  const address = clientAddress(ip);
  const own = { key: normalizeIp(address, NETWORK), factor: 1 };
  const wider = WIDER_NETWORKS.map(({ prefix, factor }) => ({ key: normalizeIp(address, prefix), factor }));
  return [own, ...wider.filter(({ key }) => key !== own.key)];
}

/** `192.0.2.1:80`, `[2001:db8::1]:80`, `[2001:db8::1]` -> the address; anything else as it is. */
function withoutPort(text: string): string {
  return /^\[([^\]]{2,45})\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^(\d[\d.]{6,14}):\d{1,5}$/.exec(text)?.[1] ?? text;
}
