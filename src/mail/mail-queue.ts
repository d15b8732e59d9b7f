import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { Letter } from './letter.js';
import { MailDispatcher } from './mail-dispatcher.js';
import { MailSeal } from './mail-seal.js';
import { QueuedMails } from './queued-mails.js';

/** How long a letter is worth sending that does not say so itself. */
const LIFE_MS = 24 * 3_600_000;
/** No mail arrives there: accounts have such an address that an issuer or a directory has left without one. @see RFC 2606 */
const NOWHERE = /\.invalid$/i;

/** Where the rest of the service posts its letters. */
@Injectable()
export class MailQueue {
  constructor(
    private readonly mails: QueuedMails,
    private readonly dispatcher: MailDispatcher,
    private readonly seal: MailSeal,
    private readonly clock: Clock,
  ) {}

  /**
   * Puts a letter into the queue as part of the caller's unit of work: it leaves after the commit, or never. One to a domain
   * below `.invalid` is not queued.
   *
   * @param to `null`: a letter without an addressee, which does the same work and is dropped, so that an answer takes as
   * long for an address without an account
   * @param options.expiresAt milliseconds since 1970: from then on it is not sent any more. Without it: after a day.
   */
  async add(
    manager: EntityManager,
    to: string | null,
    letter: Letter,
    { expiresAt = this.clock.now() + LIFE_MS }: { readonly expiresAt?: number } = {},
  ): Promise<void> {
    if (to !== null && NOWHERE.test(to)) return;
    await this.mails.add(manager, this.seal.close({ id: randomUUID(), to, letter }), expiresAt);
    this.dispatcher.expedite();
  }
}
