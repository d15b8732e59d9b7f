import { normalizeIp } from '@nestjs/throttler';
import { isIP } from 'node:net';

/** All bits of an address of version 6. */
const WHOLE = 128;
/** The part of such an address that one household or one machine has for itself. */
const NETWORK = 64;
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

/** Who is limited together: an address of version 4, or the /64 of one of version 6, whose owner has all of it. */
export function clientNetwork(ip: string | undefined): string {
  return normalizeIp(clientAddress(ip), NETWORK);
}

/** `192.0.2.1:80`, `[2001:db8::1]:80`, `[2001:db8::1]` -> the address; anything else as it is. */
function withoutPort(text: string): string {
  return /^\[([^\]]{2,45})\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^(\d[\d.]{6,14}):\d{1,5}$/.exec(text)?.[1] ?? text;
}
