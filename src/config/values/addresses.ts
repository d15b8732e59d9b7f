import { isIPv4 } from 'node:net';

const SCHEME = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i;
/** A port is a number: what stands there instead may be a password that was cut off, as at a comma or for want of a host. */
const NO_PORT = /^[^/[\]:]*:(?!\d*(?:[/?#]|$))/;

/** The text of an address for people, whose user and password are hidden: `https://…@cms.example.com`. */
export function withoutUser(text: string): string {
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  // The last one: a password may have an @ that is not encoded.
  if (rest.includes('@')) return `${scheme}…@${rest.slice(rest.lastIndexOf('@') + 1)}`;
  return NO_PORT.test(rest) ? `${scheme}…` : text;
}

/** The text as an address without user, password and fragment; `null`: it is anything else. */
export function plainAddress(text: string, scheme = /^https?:$/): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return scheme.test(url.protocol) && url.username + url.password + url.hash === '' ? url : null;
}

/** True if a host name of a URL is this machine itself, so that nothing said to it passes a network. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIPv4(host)) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1';
}

/** True if what is sent to an address can be read on the way. */
export function isOpen({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/** @returns the text without its percent-encoding; `null`: a % in it begins no character */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function hasReadableUser({ username, password }: URL): boolean {
  return percentDecoded(username) !== null && percentDecoded(password) !== null;
}

/** The advice about an address of which {@link hasReadableUser} is false; nothing of the address is in it. */
export function strayPercent(name: string, example: string): string {
  return `${name} has a % in its user or password that begins no character. Write %25 for a %, as in ${example}.`;
}
