import type { AuditDetails } from '../../audit/audit-event.js';
import type { Account } from '../../users/rows/account.js';
import { providerTitleFirst, providerTitle } from '../methods/sign-in-methods.js';
import { by, text, type Happened, type NamedIdentity, type NoticeText } from './notice-text.js';

export function passwordChanged({ event, service, identities }: Happened): NoticeText {
  const isReset = event.event !== 'password.changed';
  const ended = isReset
    ? 'All sessions were ended, and so were the personal API tokens of your account.'
    : 'All other sessions were ended.';
  return {
    subject: `Your password for ${service} was changed`,
    paragraphs: [`The password of your account at ${service} was changed${by(event)}. ${ended}`, ...listOf(identities)],
  };
}

/** One letter for all that was changed at once; `null`: nothing that opens the account or says what it may do. */
export function userUpdated(happened: Happened): NoticeText | null {
  const { event, account, service } = happened;
  const { fields = '' } = event.details ?? {};
  const changed = String(fields)
    .split(' ')
    .filter((field) => field in CHANGES && (field !== 'role' || hasBeenUsed(account)));
  if (changed.length === 0) return null;
  if (changed.join() === 'password') return passwordChanged(happened);
  return {
    subject: `Your ${changed.length > 1 ? 'account' : changed[0] === 'role' ? 'role' : 'address'} at ${service} was changed`,
    paragraphs: [
      `Your account at ${service} was changed${by(event)}.`,
      ...changed.flatMap((field) => CHANGES[field]?.(happened) ?? []),
    ],
    ...formerAddress(event.details ?? {}),
  };
}

/** A directory replaces addresses that are not proved: the reader of the former one may be a stranger. */
function formerAddress({ former_email: former, by: provider }: AuditDetails): Pick<NoticeText, 'alsoTo'> {
  return typeof former === 'string' && provider === undefined ? { alsoTo: former } : {};
}

/** What a letter says of a field that was changed; of all others it says nothing. */
const CHANGES: Readonly<Record<string, (happened: Happened) => readonly string[]>> = {
  email: ({ account, event }) => [
    `Its e-mail address is ${account.email} now; it was ${text(event.details?.former_email)}. All sessions were ended.`,
  ],
  role: ({ event }) => [`Its role is ${text(event.details?.role)} now; it was ${text(event.details?.former_role)}.`],
  password: (happened) => passwordChanged(happened).paragraphs,
};

function listOf(identities: readonly NamedIdentity[]): string[] {
  if (identities.length === 0) return [];
  const lines = identities.map(
    ({ provider, email }) => providerTitleFirst(provider) + (email === null ? '' : ` (${email})`),
  );
  return [`These still open your account. Remove what you do not know:\n${lines.join('\n')}`];
}

/** Whether the account has ever been used: an invitation that is repeated changes one that has not. */
function hasBeenUsed({ passwordHash, emailVerifiedAt }: Account): boolean {
  return passwordHash !== null || emailVerifiedAt !== null;
}

export function tokenMade({ event, service }: Happened): NoticeText {
  const { hint, scopes, kind } = event.details ?? {};
  return {
    subject: `An API token was made at ${service}`,
    paragraphs: [
      `An API token that begins with ${text(hint)} was made with your account at ${service}. It may: ${text(scopes)}.`,
      kind === 'service' ? SERVICE : 'Programs that have it can act in your name.',
    ],
  };
}

const SERVICE =
  'It is the token of a service: a new password or a lock-down of your account does not end it. An administrator can.';

export function tokenRotated({ event, service }: Happened): NoticeText {
  const { hint, scopes, kind } = event.details ?? {};
  return {
    subject: `An API token was replaced at ${service}`,
    paragraphs: [
      `The API token that begins with ${text(hint)} at ${service} was replaced by a new one${by(event)}; the old one works for another day at most. It may: ${text(scopes)}.`,
      kind === 'service' ? SERVICE : 'Programs that have it can act in your name.',
    ],
  };
}

export function identityLinked({ event, service }: Happened): NoticeText {
  const { provider = '' } = event;
  return {
    subject: `${providerTitleFirst(provider)} was linked to your account`,
    paragraphs: [`From now on you can sign in to ${service} with ${providerTitle(provider)}.`],
  };
}

export function identityUnlinked({ event, service }: Happened): NoticeText {
  const { provider = '' } = event;
  return {
    subject: `${providerTitleFirst(provider)} was unlinked from your account`,
    paragraphs: [
      `Signing in to ${service} with ${providerTitle(provider)} does not open your account any more${by(event)}.`,
    ],
  };
}
