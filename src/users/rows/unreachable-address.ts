import { randomBytes } from 'node:crypto';
import type { EmailAddress } from '../../common/text/email-address.js';

/** Of the local part. */
const PLACEHOLDER_BYTES = 16;

/**
 * An address at which no mail arrives, for an account without another one. It is random: one that could be known before
 * might be that of another account, such as the person's own former one, and keep them out.
 *
 * @param source what knows the person; a label of a domain
 * @see RFC 2606, section 2
 */
export function unreachableAddress(source: string): EmailAddress {
  const address = `${randomBytes(PLACEHOLDER_BYTES).toString('hex')}@${source}.invalid`;
  return { address, key: address };
}

/** Whether an address is one of {@link unreachableAddress}, of that source. */
export function isUnreachable({ emailKey }: { readonly emailKey: string }, source: string): boolean {
  const [local = '', domain] = emailKey.split('@');
  return domain === `${source}.invalid` && local.length === 2 * PLACEHOLDER_BYTES && /^[0-9a-f]+$/.test(local);
}
