import type { AuditEvent } from '../../audit/audit-event.js';
import type { Letter } from '../../mail/letter.js';
import type { Methods } from '../methods/sign-in-methods.js';
import type { NoticeText } from './notice-text.js';

/** In this order: many browsers name others beside themselves. */
const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * What a user agent calls itself, in words of ours: the header is text of the client, and none of it belongs into a
 * mail that the service signs.
 *
 * `Mozilla/5.0 (Windows NT 10.0) … Firefox/140.0` -> `Firefox on Windows`
 *
 * @param userAgent `null`: none was sent
 */
function deviceOf(userAgent: string | null): string {
  const [program, system] = [PROGRAMS, SYSTEMS].map((known) =>
    known.find(([pattern]) => pattern.test(userAgent ?? '')),
  );
  if (!program) return system ? `a program on ${system[1]}` : 'an unknown program';
  return system ? `${program[1]} on ${system[1]}` : program[1];
}

/** What a letter has beside its text. */
interface Circumstances {
  readonly event: AuditEvent;
  /** When it happened, milliseconds since 1970, UTC. */
  readonly at: number;
  /** Where the account is locked down; `null`: there is nothing left to end. */
  readonly url: string | null;
  /** Whether it is the last notice of its kind within a day. */
  readonly isLast: boolean;
  readonly methods: Methods;
}

const LAST =
  'Further notices of this kind are not mailed until tomorrow; those of a new password, address, role or identity are. The audit has them all.';
const HOW_LONG = 'The link works once, for seven days, and opens a page that asks before anything happens.';

/** The letter about an event: what, when, from where, and what to do about it. */
export function noticeLetter(text: NoticeText, { event, at, url, isLast, methods }: Circumstances): Letter {
  const footer = [...(url === null ? [] : [HOW_LONG]), ...(isLast ? [LAST] : [])].join(' ');
  return {
    subject: text.subject,
    paragraphs: [...text.paragraphs, whenAndWhere(event, at), ...(url === null ? [] : [wasItYou(methods)])],
    ...(url === null ? {} : { action: { label: 'This was not me', url } }),
    ...(footer === '' ? {} : { footer }),
  };
}

function wasItYou(methods: Methods): string {
  const wayBack = methods.has('password') ? ', and a new password is set by mail' : '';
  return `Was this not you? Lock the account down: password, sessions, linked identities and personal API tokens end${wayBack}.`;
}

function whenAndWhere({ visitor }: AuditEvent, at: number): string {
  const when = `When: ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return visitor ? `${when}\nFrom: ${visitor.ip}, ${deviceOf(visitor.userAgent)}` : `${when}\nFrom: the server itself`;
}
