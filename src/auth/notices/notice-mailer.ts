import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEventName, AuditEvent } from '../../audit/audit-event.js';
import { Audit, type AuditListener } from '../../audit/audit.js';
import { Clock } from '../../common/clock.js';
import { Settings } from '../../config/settings.js';
import type { Letter } from '../../mail/letter.js';
import { MailQueue } from '../../mail/mail-queue.js';
import { Accounts } from '../../users/rows/accounts.js';
import { Identity } from '../accounts/identity.entity.js';
import { AccountTries, type Quota, type CounterName } from '../limits/account-tries.js';
import type { Methods } from '../methods/sign-in-methods.js';
import { Challenges } from '../proofs/challenges/challenges.js';
import { linkTo } from '../proofs/challenges/mailed-links.js';
import { hashOf, isSecret, newSecret } from '../secrets/secrets.js';
import { type Happened, type NoticeText, noticeOf } from './notice-texts.js';

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
 * The name of a user agent in words of ours: text of a client does not belong into a mail that the service signs.
 *
 * `Mozilla/5.0 (Windows NT 10.0) … Firefox/140.0` -> `Firefox on Windows`
 */
function deviceOf(userAgent: string | null): string {
  const [program, system] = [PROGRAMS, SYSTEMS].map((known) =>
    known.find(([pattern]) => pattern.test(userAgent ?? '')),
  );
  if (!program) return system ? `a program on ${system[1]}` : 'an unknown program';
  return system ? `${program[1]} on ${system[1]}` : program[1];
}

interface Circumstances {
  readonly event: AuditEvent;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** Address at which the account is locked down; `null`: there is nothing left to end. */
  readonly url: string | null;
  /** True if it is the last notice of its kind within a day. */
  readonly isLast: boolean;
  readonly methods: Methods;
}

const LAST =
  'Further notices of this kind are not mailed until tomorrow; those of a new password, address, role or identity are. The audit has them all.';
const HOW_LONG = 'The link works once, for seven days, and opens a page that asks before anything happens.';

/** The letter about an event: what, when, from where, and what to do about it. */
function noticeLetter(text: NoticeText, { event, at, url, isLast, methods }: Circumstances): Letter {
  const wayBack = methods.has('password') ? ', and a new password is set by mail' : '';
  const wasItYou = `Was this not you? Lock the account down: password, sessions, linked identities and personal API tokens end${wayBack}.`;
  const footer = [...(url === null ? [] : [HOW_LONG]), ...(isLast ? [LAST] : [])].join(' ');
  return {
    subject: text.subject,
    paragraphs: [...text.paragraphs, whenAndWhere(event, at), ...(url === null ? [] : [wasItYou])],
    ...(url === null ? {} : { action: { label: 'This was not me', url } }),
    ...(footer === '' ? {} : { footer }),
  };
}

function whenAndWhere({ visitor }: AuditEvent, at: number): string {
  const when = `When: ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return visitor ? `${when}\nFrom: ${visitor.ip}, ${deviceOf(visitor.userAgent)}` : `${when}\nFrom: the server itself`;
}

/** Letters a day about some kinds of events, per user. */
type NoticeBudget = Readonly<{ counter: CounterName; quota: Quota }>;

const DAY_SECONDS = 86_400;

/** Budget of what takes a credential of the account. */
const ORDINARY: NoticeBudget = { counter: 'notices', quota: { limit: 10, seconds: DAY_SECONDS } };
/** Programs make and rotate tokens as well. */
const TOKENS: NoticeBudget = { counter: 'notices_tokens', quota: { limit: 10, seconds: DAY_SECONDS } };
/** Anonymous requests cause these: they must use up nothing that another notice needs. */
const LOCKS: NoticeBudget = { counter: 'notices_locks', quota: { limit: 3, seconds: DAY_SECONDS } };

/** `null`: each change of a password, an address, a role or an identity is mailed, whatever was mailed before. */
const BUDGETS: Readonly<Partial<Record<AuditEventName, NoticeBudget | null>>> = {
  'password.changed': null,
  'password.reset': null,
  'user.updated': null,
  'provider.link': null,
  'provider.unlink': null,
  'account.stripped': null,
  'account.locked_down': null,
  'token.created': TOKENS,
  'token.rotated': TOKENS,
  'account.locked': LOCKS,
};

const LIFE_MS = 7 * 86_400_000;

/** Links that lock an account down. Each mail has one of its own: a later mail does not end an earlier one. */
@Injectable()
export class LockDownLinks {
  constructor(
    private readonly challenges: Challenges,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @returns the address to mail; only a hash of its token is kept */
  async make(manager: EntityManager, userId: number, address: string): Promise<string> {
    const token = newSecret();
    await this.challenges.replace(manager, {
      purpose: 'lock_down',
      subject: hashOf(token),
      userId,
      tokenHash: hashOf(token),
      context: { address },
      expiresAt: this.clock.now() + LIFE_MS,
    });
    return linkTo(this.settings, 'lock_down', token);
  }

  /** Owner of the account that a link locks down, good or not, who is locked before {@link consume}; `null`: unknown. */
  async ownerOf(manager: EntityManager, token: string): Promise<number | null> {
    return isSecret(token) ? this.challenges.ownerOf(manager, 'lock_down', hashOf(token)) : null;
  }

  /** Spends a link. @returns the address that it was mailed to; `null`: it is unknown, used or over */
  async consume(manager: EntityManager, token: string): Promise<string | null> {
    const consumed = await this.challenges.consumeByToken(manager, 'lock_down', hashOf(token));
    // Written by this class alone.
    return consumed && (consumed.context as { readonly address: string }).address;
  }
}

/** Posts notices, each with a link of its own that locks the account down. */
@Injectable()
export class NoticeMailer {
  constructor(
    private readonly tries: AccountTries,
    private readonly links: LockDownLinks,
    private readonly mail: MailQueue,
    private readonly clock: Clock,
  ) {}

  /** Nothing is posted if the budget of the event is spent; the last letter of a budget says so. */
  async send(manager: EntityManager, { event, account, methods }: Happened, text: NoticeText): Promise<void> {
    const isLast = await this.draw(manager, event.event, account.id);
    if (isLast === null) return;
    const at = this.clock.now();
    for (const to of new Set([account.email, text.alsoTo ?? account.email])) {
      const url = event.event === 'account.locked_down' ? null : await this.links.make(manager, account.id, to);
      await this.mail.add(manager, to, noticeLetter(text, { event, at, url, isLast, methods }));
    }
  }

  /** @returns whether it is the last letter of its budget; `null`: none is left */
  private async draw(manager: EntityManager, event: AuditEventName, userId: number): Promise<boolean | null> {
    const { [event]: budget = ORDINARY } = BUDGETS;
    if (budget === null) return false;
    const { counter, quota } = budget;
    const taken = await this.tries.takeOfWithin(manager, counter, String(userId), quota);
    return taken === null ? null : taken === quota.limit;
  }
}

const MAX_IDENTITIES = 20;

/**
 * Mails the owner of an account what happened to its credentials, in the unit of work of the event.
 *
 * @see ADR 24, ASVS 5.0 6.3.7
 */
@Injectable()
export class Notices implements AuditListener, OnModuleInit {
  constructor(
    private readonly audit: Audit,
    private readonly accounts: Accounts,
    private readonly mailer: NoticeMailer,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.audit.listen(this);
  }

  async added(manager: EntityManager, event: AuditEvent): Promise<void> {
    const write = noticeOf(event);
    if (!write) return;
    const happened = await this.happened(manager, event);
    const text = happened && write(happened);
    if (text) await this.mailer.send(manager, happened, text);
  }

  /** `null`: the event is about no account, or its user is kept out. */
  private async happened(manager: EntityManager, event: AuditEvent): Promise<Happened | null> {
    const userId = ownerOf(event);
    const account = userId === null ? null : await this.accounts.find(manager, userId);
    if (account?.disabledAt !== null) return null;
    const identities = await manager.find(Identity, {
      where: { userId: account.id },
      order: { id: 'ASC' },
      take: MAX_IDENTITIES,
    });
    const { siteName: service, signIn } = this.settings;
    return { event, account, service, identities, methods: signIn.methods };
  }
}

/** Owner of the account that an event is about: the user who did it, if it names no other. */
function ownerOf({ userId, actor }: AuditEvent): number | null {
  if (userId != null) return userId;
  return actor?.kind === 'user' ? actor.id : null;
}
