import type { AuditDetails } from '../../audit/audit-event.js';
import { counted } from '../../common/text/counted.js';
import { mailedWays, type Methods } from '../methods/sign-in-methods.js';
import { text, type Happened, type NoticeText, remainingServiceTokens } from './notice-text.js';

export function sessionReused({ service, methods }: Happened): NoticeText {
  return {
    subject: 'We ended one of your sessions',
    paragraphs: [
      `The token that keeps you signed in to ${service} on one of your devices was used from a second place. We cannot say which of the two is you, so we ended that session. Your other devices stay signed in.`,
      `Sign in again there. If this happens more often, look through your sessions${methods.has('password') ? ' and change your password' : ''}.`,
    ],
  };
}

export function accountLocked({ event, service, methods }: Happened): NoticeText {
  if (event.details?.method === 'code') return codesLocked(service, methods);
  const mailed = mailedWays(methods);
  const byMail = mailed === null ? '' : `sign in by ${mailed} from a mail, or `;
  return {
    subject: `Too many wrong sign-ins at ${service}`,
    paragraphs: [
      `There were so many wrong passwords for your account at ${service} that signing in by password is closed for a while. None of them was right.`,
      `You can ${byMail}set a new password with “forgotten password”, which opens it at once.`,
    ],
  };
}

function codesLocked(service: string, methods: Methods): NoticeText {
  return {
    subject: `Too many wrong sign-ins at ${service}`,
    paragraphs: [
      `There were so many wrong codes for your account at ${service} that signing in by code is closed for a while. None of them was right.`,
      ...(methods.has('magic-link') ? ['You can sign in by the link of a mail instead.'] : []),
    ],
  };
}

/** `null`: nothing was lost that the owner could miss. */
export function accountStripped({ event, service }: Happened): NoticeText | null {
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

export function lockedDown({ event, service, methods }: Happened): NoticeText {
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

export function newDevice({ event, service }: Happened): NoticeText {
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
