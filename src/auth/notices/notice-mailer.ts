import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEventName } from '../../audit/audit-event.js';
import { Clock } from '../../common/clock.js';
import { MailQueue } from '../../mail/mail-queue.js';
import { AccountTries, type Allowed, type Tried } from '../limits/account-tries.js';
import { LockDownLinks } from './lock-down-links.js';
import { noticeLetter } from './notice-letter.js';
import type { Happened, NoticeText } from './notice-text.js';

/** So many letters a day may leave about some kinds of events, per user. */
interface NoticeBudget {
  readonly tried: Tried;
  readonly allowed: Allowed;
}

const DAY_SECONDS = 86_400;

/** What takes a credential of the account. */
const ORDINARY: NoticeBudget = { tried: 'notices', allowed: { limit: 10, seconds: DAY_SECONDS } };
/** Programs make and rotate tokens as well. */
const TOKENS: NoticeBudget = { tried: 'notices_tokens', allowed: { limit: 10, seconds: DAY_SECONDS } };
/** Anonymous requests cause these: they must use up nothing that another notice needs. */
const LOCKS: NoticeBudget = { tried: 'notices_locks', allowed: { limit: 3, seconds: DAY_SECONDS } };

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

/** From which budget the letter about an event draws; `null`: from none. */
function noticeBudgetOf(event: AuditEventName): NoticeBudget | null {
  const budget = BUDGETS[event];
  return budget === undefined ? ORDINARY : budget;
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

  /** Nothing is posted where the budget of the event is spent; the last letter of a budget says so. */
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
    const budget = noticeBudgetOf(event);
    if (budget === null) return false;
    const { tried, allowed } = budget;
    const taken = await this.tries.takeOfWithin(manager, tried, String(userId), allowed);
    return taken === null ? null : taken === allowed.limit;
  }
}
