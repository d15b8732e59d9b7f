import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { ProviderName } from '../../config/provider-settings.js';
import { MailQueue } from '../../mail/mail-queue.js';
import type { Account } from '../../users/account.js';

const TITLES: Readonly<Record<ProviderName, string>> = {
  google: 'Google',
  apple: 'Apple',
  oidc: 'Your organisation’s sign-in',
};

/** Tells people that another way into their account was opened. */
@Injectable()
export class LinkNotices {
  constructor(
    private readonly mail: MailQueue,
    private readonly audit: Audit,
  ) {}

  async linked(manager: EntityManager, { id, email }: Account, provider: ProviderName): Promise<void> {
    await this.audit.add(manager, { event: 'provider.link', outcome: 'success', userId: id, email, provider });
    await this.mail.add(manager, email, {
      subject: `${TITLES[provider]} was linked to your account`,
      paragraphs: [
        `From now on you can sign in with ${TITLES[provider]}.`,
        'If that was not you, tell an administrator at once: somebody else can sign in as you.',
      ],
    });
  }
}
