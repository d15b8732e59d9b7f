import type { AuditDetails, AuditEvent, AuditEventName } from '../../audit/audit-event.js';
import { counted } from '../../common/text/counted.js';
import type { Account } from '../../users/rows/account.js';
import type { Identity } from '../accounts/identity.entity.js';
import { mailedWays, providerTitle, providerTitleFirst, type Methods } from '../methods/sign-in-methods.js';

export interface Happened {
  readonly event: AuditEvent;
  readonly account: Account;
  /** Name by which people know the service. */
  readonly service: string;
  readonly identities: readonly Pick<Identity, 'provider' | 'email'>[];
  readonly methods: Methods;
}

/** Text about an event; when, from where and what to do about it follow it in the letter. */
export interface NoticeText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A further address that it goes to. */
  readonly alsoTo?: string;
}

/** ` by an administrator`, if it was not the user; without an actor it was. */
function by({ event, actor, userId, details }: AuditEvent): string {
  if (event === 'user.updated' && details?.by !== undefined) return ' by the directory of your organisation';
  return actor === undefined || (actor.kind === 'user' && actor.id === userId) ? '' : ' by an administrator';
}

function text(value: AuditDetails[string] | undefined): string {
  return String(value ?? '');
}

const MAX_NAMED = 20;

/** A sentence that names the service tokens that a lock-down leaves, by their hints; none if there is no such token. */
export function remainingServiceTokens(hints: readonly string[]): readonly string[] {
  if (hints.length === 0) return [];
  const named = hints.slice(0, MAX_NAMED).join(', ') + (hints.length > MAX_NAMED ? ' and more' : '');
  const tokens = counted(hints.length, 'service token');
  return [
    `${tokens} made with the account ${hints.length === 1 ? 'goes' : 'go'} on: ${named}. If you do not know them, have an administrator end them.`,
  ];
}

function passwordChanged({ event, service, identities }: Happened): NoticeText {
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
function userUpdated(happened: Happened): NoticeText | null {
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

/** True if the account has ever been used: an invitation that is repeated changes one that has not. */
function hasBeenUsed({ passwordHash, emailVerifiedAt }: Account): boolean {
  return passwordHash !== null || emailVerifiedAt !== null;
}

/** A directory replaces addresses that are not proved: the reader of the former one may be a stranger. */
function formerAddress({ former_email: former, by: provider }: AuditDetails): Pick<NoticeText, 'alsoTo'> {
  return typeof former === 'string' && provider === undefined ? { alsoTo: former } : {};
}

/** Lines about fields that were changed; all other fields have none. */
const CHANGES: Readonly<Record<string, (happened: Happened) => readonly string[]>> = {
  email: ({ account, event }) => [
    `Its e-mail address is ${account.email} now; it was ${text(event.details?.former_email)}. All sessions were ended.`,
  ],
  role: ({ event }) => [`Its role is ${text(event.details?.role)} now; it was ${text(event.details?.former_role)}.`],
  password: (happened) => passwordChanged(happened).paragraphs,
};

function listOf(identities: Happened['identities']): string[] {
  if (identities.length === 0) return [];
  const lines = identities.map(
    ({ provider, email }) => providerTitleFirst(provider) + (email === null ? '' : ` (${email})`),
  );
  return [`These still open your account. Remove what you do not know:\n${lines.join('\n')}`];
}

function scopesOf({ details }: AuditEvent): string {
  return `It may: ${text(details?.scopes)}.`;
}

function effectOf({ details }: AuditEvent): string {
  return details?.kind === 'service'
    ? 'It is the token of a service: a new password or a lock-down of your account does not end it. An administrator can.'
    : 'Programs that have it can act in your name.';
}

function accountLocked({ event, service, methods }: Happened): NoticeText {
  const [secret, advice] =
    event.details?.method === 'code'
      ? ['code', methods.has('magic-link') ? ['You can sign in by the link of a mail instead.'] : []]
      : [
          'password',
          [`You can ${byMail(methods)}set a new password with “forgotten password”, which opens it at once.`],
        ];
  return {
    subject: `Too many wrong sign-ins at ${service}`,
    paragraphs: [
      `There were so many wrong ${secret}s for your account at ${service} that signing in by ${secret} is closed for a while. None of them was right.`,
      ...advice,
    ],
  };
}

function byMail(methods: Methods): string {
  const mailed = mailedWays(methods);
  return mailed === null ? '' : `sign in by ${mailed} from a mail, or `;
}

/** `null`: nothing was lost that the owner could miss. */
function accountStripped({ event, service }: Happened): NoticeText | null {
  const lost = lostOf(event.details ?? {});
  if (lost.length === 0) return null;
  if (event.details?.by !== undefined) return leftToDirectory(service, lost);
  return {
    subject: `Your address at ${service} is proved`,
    paragraphs: [
      `We now know that mail for your account at ${service} reaches you. Another person may have set the account up with your address before, so we removed: ${lost.join(', ')}.`,
    ],
  };
}

function leftToDirectory(service: string, lost: readonly string[]): NoticeText {
  return {
    subject: `Your account at ${service} was given more rights`,
    paragraphs: [
      `The directory of your organisation has given your account at ${service} more rights. Another person may have made the other ways to open it, so we removed: ${lost.join(', ')}.`,
      'You can sign in with your organisation.',
    ],
  };
}

function lockedDown({ event, service, methods }: Happened): NoticeText {
  const lost = lostOf(event.details ?? {});
  const { service_tokens: services, role } = event.details ?? {};
  return {
    subject: `Your account at ${service} is locked down`,
    paragraphs: [
      `No former password, session or link opens your account at ${service} any more. Ended: ${lost.length > 0 ? lost.join(', ') : 'nothing was left to end'}.`,
      ...(role === undefined
        ? []
        : [`Its role is ${text(role)} until your organisation gives it another one: sign in there and link it again.`]),
      ...remainingServiceTokens(Array.isArray(services) ? (services as readonly string[]) : []),
      // From a former address no mail for a new password was asked for.
      wayBack(methods, event.details?.address === 'former' ? '“forgotten password”' : 'the link in our other mail'),
    ],
  };
}

/** @param reset by what a new password is set */
function wayBack(methods: Methods, reset: string): string {
  const mailed = mailedWays(methods);
  const ways = [
    ...(methods.has('password') ? [`set a new password with ${reset}`] : []),
    ...(mailed === null ? [] : [`sign in by ${mailed} from a mail`]),
  ];
  if (ways.length === 0) return 'Ask an administrator to open the account again.';
  return `Your mailbox is the way back in: ${ways.join(', or ')}. If you suspect that others read your mail, change the password of your mailbox first.`;
}

function newDevice({ event, service }: Happened): NoticeText {
  return {
    subject: `A new device signed in at ${service}`,
    paragraphs: [
      `Your account at ${service} was opened by ${MEANS[event.event] ?? 'a sign-in'} on a device that was not used before.`,
    ],
  };
}

const MEANS: Readonly<Record<string, string>> = {
  login: 'its password',
  'otp.verify': 'a code from a mail',
  'magic_link.verify': 'a link from a mail',
  'provider.sign_in': 'a linked identity',
};

function lostOf({ password, sessions, identities, tokens, role, former_role: formerRole }: AuditDetails): string[] {
  return [
    ...(password === true ? ['the password'] : []),
    ...amount(sessions, 'session'),
    ...amount(identities, 'linked identity', 'linked identities'),
    ...amount(tokens, 'personal API token'),
    ...(role === formerRole ? [] : [`the role ${text(formerRole)}`]),
  ];
}

function amount(value: AuditDetails[string] | undefined, one: string, many?: string): string[] {
  const count = Number(value ?? 0);
  if (count === 0) return [];
  return [count > 1 && many !== undefined ? `${count} ${many}` : counted(count, one)];
}

type Writer = (happened: Happened) => NoticeText | null;

const NOTICES: Readonly<Partial<Record<AuditEventName, Writer>>> = {
  'password.changed': passwordChanged,
  'password.reset': passwordChanged,
  'user.updated': userUpdated,
  'token.created': ({ event, service }) => ({
    subject: `An API token was made at ${service}`,
    paragraphs: [
      `An API token that begins with ${text(event.details?.hint)} was made with your account at ${service}. ${scopesOf(event)}`,
      effectOf(event),
    ],
  }),
  'token.rotated': ({ event, service }) => ({
    subject: `An API token was replaced at ${service}`,
    paragraphs: [
      `The API token that begins with ${text(event.details?.hint)} at ${service} was replaced by a new one${by(event)}; the old one works for another day at most. ${scopesOf(event)}`,
      effectOf(event),
    ],
  }),
  'provider.link': ({ event, service }) => ({
    subject: `${providerTitleFirst(event.provider ?? '')} was linked to your account`,
    paragraphs: [`From now on you can sign in to ${service} with ${providerTitle(event.provider ?? '')}.`],
  }),
  'provider.unlink': ({ event, service }) => ({
    subject: `${providerTitleFirst(event.provider ?? '')} was unlinked from your account`,
    paragraphs: [
      `Signing in to ${service} with ${providerTitle(event.provider ?? '')} does not open your account any more${by(event)}.`,
    ],
  }),
  'refresh.reused': ({ service, methods }) => ({
    subject: 'We ended one of your sessions',
    paragraphs: [
      `The token that keeps you signed in to ${service} on one of your devices was used from a second place. We cannot say which of the two is you, so we ended that session. Your other devices stay signed in.`,
      `Sign in again there. If this happens more often, look through your sessions${methods.has('password') ? ' and change your password' : ''}.`,
    ],
  }),
  'account.locked': accountLocked,
  'account.stripped': accountStripped,
  'account.locked_down': lockedDown,
  login: newDevice,
  'otp.verify': newDevice,
  'magic_link.verify': newDevice,
  'provider.sign_in': newDevice,
  exchange: newDevice,
};

/** Refusals that the owner of the account is to know of. */
const REFUSALS: readonly AuditEventName[] = ['refresh.reused', 'account.locked'];

export function noticeOf(event: AuditEvent): Writer | undefined {
  if (event.outcome === 'failure' && !REFUSALS.includes(event.event)) return undefined;
  const writer = NOTICES[event.event];
  return writer === newDevice && event.details?.new_device !== true ? undefined : writer;
}
