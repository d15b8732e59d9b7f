import { Injectable } from '@nestjs/common';
import { publicAddress } from '../../../config/public-address.js';
import { Settings } from '../../../config/settings.js';
import type { ChallengePurpose } from '../../secrets/challenge.entity.js';

/** What a link in a mail is for. */
export type LinkPurpose = Extract<ChallengePurpose, 'sign_in' | 'password_reset' | 'invitation' | 'lock_down'>;

const OWN_PAGES: Readonly<Record<LinkPurpose, string>> = {
  sign_in: '/api/auth/magic-link/verify',
  password_reset: '/api/auth/password/reset',
  invitation: '/api/auth/invitations/accept',
  lock_down: '/api/auth/lock-down',
};

/** Makes the links of mails. They begin with what the settings say, and never with what a request says. */
@Injectable()
export class Links {
  constructor(private readonly settings: Settings) {}

  /** The address of our own page, or of that of a client which the settings name. */
  to(purpose: LinkPurpose, token: string): string {
    const page = this.pageOf(purpose);
    const url = new URL(page ?? publicAddress(this.settings, OWN_PAGES[purpose]));
    url.searchParams.set('token', token);
    if (page !== null && purpose !== 'sign_in') url.searchParams.set('purpose', purpose);
    return url.href;
  }

  /** The page of a client; `null`: our own. */
  private pageOf(purpose: LinkPurpose): string | null {
    const { linkUrl, passwordUrl } = this.settings.signIn;
    if (purpose === 'lock_down') return null;
    return purpose === 'sign_in' ? linkUrl : passwordUrl;
  }

  /** What people know the service by. */
  get service(): string {
    return this.settings.siteName;
  }
}
