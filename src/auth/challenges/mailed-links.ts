import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { Letter } from '../../mail/letter.js';
import { MailQueue } from '../../mail/mail-queue.js';
import { Challenges, type ChallengeKey, type MetChallenge } from './challenges.js';
import { Links, type LinkPurpose } from './links.js';
import type { Recipient } from './recipients.js';
import { hashOf, isSecret } from '../secrets.js';

/** What links are for that nobody signs in with. */
type MailedPurpose = Exclude<LinkPurpose, 'sign_in'>;

/** A link that is mailed to somebody. */
interface MailedLink extends ChallengeKey, Recipient {
  readonly purpose: MailedPurpose;
  readonly token: string;
  /** How long it is good for. */
  readonly seconds: number;
  /** What the mail says. */
  readonly letter: (url: string, host: string) => Letter;
}

/** Mails links that are good once, and recognises them. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly challenges: Challenges,
    private readonly mail: MailQueue,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /** Mails a link; the one before it is over. */
  async send(manager: EntityManager, { purpose, subject, userId, to, ...link }: MailedLink): Promise<void> {
    const expiresAt = this.clock.now() + link.seconds * 1_000;
    await this.challenges.replace(manager, {
      purpose,
      subject,
      userId,
      tokenHash: hashOf(link.token),
      expiresAt,
    });
    const letter = link.letter(this.links.to(purpose, link.token), this.links.host);
    await this.mail.add(manager, to, letter, { expiresAt });
  }

  /** Whether a link is good still; only {@link meet} decides. Spares us a hash for one that is not. */
  async isOpen(purpose: MailedPurpose, token: string): Promise<boolean> {
    return isSecret(token) && this.challenges.isOpen(purpose, hashOf(token));
  }

  /** Spends a link. @returns `null`: unknown, over, nobody's, or somebody else was first */
  async meet(manager: EntityManager, purpose: MailedPurpose, token: string): Promise<MetChallenge | null> {
    const met = await this.challenges.meetByToken(manager, purpose, hashOf(token));
    return met?.userId == null ? null : met;
  }
}
