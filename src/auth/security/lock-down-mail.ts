import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '../../config/settings.js';
import type { Letter } from '../../mail/letter.js';
import type { Account } from '../../users/rows/account.js';
import { MailedLinks, RESET_SECONDS } from '../proofs/challenges/mailed-links.js';

/** Mails the way back into an account that was locked down. */
@Injectable()
export class LockDownMail {
  constructor(
    private readonly links: MailedLinks,
    private readonly settings: Settings,
  ) {}

  /** Whether `AUTH_METHODS` has passwords. */
  get hasPasswords(): boolean {
    return this.settings.signIn.methods.has('password');
  }

  async send(manager: EntityManager, { id: userId, email, emailKey }: Account, token: string): Promise<void> {
    await this.links.send(manager, {
      purpose: 'password_reset',
      subject: emailKey,
      userId,
      to: email,
      token,
      seconds: RESET_SECONDS,
      letter: wayBack,
    });
  }
}

function wayBack(url: string, service: string): Letter {
  return {
    subject: `Set a new password for ${service}`,
    paragraphs: [
      `Your account at ${service} was locked down: nothing that was known of it opens it any more. Choose a new password:`,
    ],
    action: { label: 'Choose a new password', url },
    footer: 'The link works once, within 30 minutes. After that, “forgotten password” mails another link.',
  };
}
