import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEventName } from '../../audit/audit-event.js';
import { Clock } from '../../common/clock.js';
import { MailQueue } from '../../mail/mail-queue.js';
import { AccountTries } from '../limits/account-tries.js';
import { LockDownLinks } from './lock-down-links.js';
import { noticeLetter } from './notice-letter.js';
import { noticeBudgetOf } from './notice-budgets.js';
import type { Happened, NoticeText } from './notice-text.js';

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
