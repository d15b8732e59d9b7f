import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import type { Letter } from '../../../mail/letter.js';
import { MailQueue } from '../../../mail/mail-queue.js';
import { Challenges, type ChallengeKey, type ConsumedChallenge } from './challenges.js';
import { linkTo, type LinkPurpose } from './link-owners.js';
import { Settings } from '../../../config/settings.js';
import type { Recipient } from './recipients.js';
import { hashOf, isSecret } from '../../secrets/secrets.js';

/** How long a link for a new password is good for. */
export const RESET_SECONDS = 1_800;

/** Purposes of links that are no sign-in. */
type MailedPurpose = Exclude<LinkPurpose, 'sign_in' | 'lock_down'>;

/** A link in a mail. */
interface MailedLink extends ChallengeKey, Recipient {
  readonly purpose: MailedPurpose;
  readonly token: string;
  /** How long it is good for. */
  readonly seconds: number;
  /** What the mail says. */
  readonly letter: (url: string, service: string) => Letter;
}

/** Mails links that are good once, and recognises them. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly challenges: Challenges,
    private readonly mail: MailQueue,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Mails a link; the one before it is over. */
  async send(manager: EntityManager, { purpose, subject, userId, to, ...link }: MailedLink): Promise<void> {
    const expiresAt = this.clock.now() + link.seconds * 1_000;
    await this.challenges.replace(manager, { purpose, subject, userId, tokenHash: hashOf(link.token), expiresAt });
    const letter = link.letter(linkTo(this.settings, purpose, link.token), this.settings.siteName);
    await this.mail.add(manager, to, letter, { expiresAt });
  }

  /**
   * The mailbox a link was made for that is good still; `null`: there is none. Only {@link consume} decides: this spares a
   * hash for a link that is not good.
   */
  async openSubjectOf(purpose: MailedPurpose, token: string): Promise<string | null> {
    return isSecret(token) ? this.challenges.openSubjectOf(purpose, hashOf(token)) : null;
  }

  /** Spends a link. @returns `null`: it is unknown, over, spent, or of no user */
  async consume(manager: EntityManager, purpose: MailedPurpose, token: string): Promise<ConsumedChallenge | null> {
    const consumed = await this.challenges.consumeByToken(manager, purpose, hashOf(token));
    return consumed?.userId == null ? null : consumed;
  }
}
