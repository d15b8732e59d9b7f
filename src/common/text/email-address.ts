import { domainToASCII } from 'node:url';

/** An address as it is stored: where mail goes, and what distinguishes mailboxes. */
export interface EmailAddress {
  /** As its owner writes it, with the domain in ASCII and lower case. */
  readonly address: string;
  /** One for all spellings of a mailbox. */
  readonly key: string;
}

/** Characters of an address, RFC 5321 4.5.3.1.3. */
export const MAX_ADDRESS_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** RFC 5322 dot-atom: neither quotes nor control characters. No `i` flag: with it a Kelvin sign could pass for a K. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Texts that may be handed to `domainToASCII`, which would also decode `%61` and cut off a path. */
const ANY_DOMAIN = /^[A-Za-z0-9.\-\u{80}-\u{10ffff}]+$/u;
/** Two labels or more; the last one begins with a letter, so that an IP address is none. */
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Reads an address; `null` if it is none that we send mail to. A local part outside of ASCII is refused before folding:
 * `'\u212a'.toLowerCase()` is `k`, and would open the account of another person.
 * `' Ann@Bücher.Example '` -> `{ address: 'Ann@xn--bcher-kva.example', key: 'ann@xn--bcher-kva.example' }`
 */
export function emailAddress(text: string): EmailAddress | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ADDRESS_LENGTH) return null;
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, Math.max(at, 0));
  if (local.length > MAX_LOCAL_LENGTH || !LOCAL_PART.test(local)) return null;
  const domain = asciiDomain(trimmed.slice(at + 1));
  if (domain === null) return null;
  const address = `${local}@${domain}`;
  return address.length > MAX_ADDRESS_LENGTH ? null : { address, key: address.toLowerCase() };
}

/** The fault of a text that is no address, to be read behind the name of its field. */
export function emailFault(text: string): string {
  const [, local = '', rest = ''] = /^([^@]*)(@.*)$/su.exec(text) ?? [];
  const isUnsupported = emailAddress(local.replace(/[^\x00-\x7f]/gu, 'x') + rest) !== null;
  return isUnsupported
    ? 'has characters outside of ASCII before the @, which are not supported. Use an address without them.'
    : 'must be an e-mail address such as ann@example.com.';
}

function asciiDomain(text: string): string | null {
  if (!ANY_DOMAIN.test(text)) return null;
  const domain = domainToASCII(text).toLowerCase();
  return ASCII_DOMAIN.test(domain) ? domain : null;
}
