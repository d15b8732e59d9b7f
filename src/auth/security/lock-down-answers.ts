import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../common/access/visitor.js';
import { Page } from '../../common/http/page.js';
import { Settings } from '../../config/settings.js';
import { LinkOwners } from '../proofs/challenges/link-owners.js';
import { remainingServiceTokens } from '../notices/notice-text.js';
import type { SessionRef } from '../tokens/access/session-ref.js';
import { mailedWays, type Methods } from '../methods/sign-in-methods.js';
import { LockDownService } from './lock-down.service.js';
import type { LockedDown } from './locked-accounts.js';
import { escapeHtml } from '../../common/text/escape-html.js';

/** The page behind the link of a notice. Spends nothing. */
function lockDownPage(token: string, { siteName, signIn: { methods } }: Settings): Page {
  return new Page(
    'Lock your account down?',
    `<p>Do this if something happened to your account at ${escapeHtml(siteName)} that was not you. Its password, sessions, linked identities and personal API tokens end at once.</p>
<form method="post" action="lock-down">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button>Lock the account down</button>
</form>
<p>You are signed out everywhere${methods.has('password') ? ', and set a new password by mail' : ''}. If it was you, close this page: nothing happens.</p>`,
    { referrerPolicy: 'strict-origin' },
  );
}

/** Where a lock-down in a browser ends. */
function lockedDownPage(message: string): Page {
  return new Page('Your account is locked down', `<p role="status">${escapeHtml(message)}</p>`, { isLast: true });
}

/** What a lock-down is answered with. */
export interface LockDownAnswer {
  readonly message: string;
}

/** `corp and gateway` */
const NAMES = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const MAILED = 'A mail with a link for a new password is on its way.';
const ENDED = 'Password, sessions, linked identities and personal API tokens have ended.';

/** Answers those who lock an account down. */
@Injectable()
export class LockDownAnswers {
  constructor(
    private readonly service: LockDownService,
    private readonly owners: LinkOwners,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `link_over` */
  async page(token: string): Promise<Page> {
    await this.owners.requireOpen('lock_down', token);
    return lockDownPage(token, this.settings);
  }

  async byLink(
    token: string,
    { isForm, visitor }: { readonly isForm: boolean; readonly visitor: Visitor },
  ): Promise<LockDownAnswer | Page> {
    const { message } = this.answer(await this.service.byLink(token, visitor));
    return isForm ? lockedDownPage(message) : { message };
  }

  async bySession(session: SessionRef, visitor: Visitor): Promise<LockDownAnswer> {
    return this.answer(await this.service.bySession(session, visitor));
  }

  private answer({ isMailed, serviceTokens, issuers }: LockedDown): LockDownAnswer {
    const next = isMailed ? MAILED : wayBack(this.settings.signIn.methods);
    return { message: [ENDED, ...issuersGoOn(issuers), ...remainingServiceTokens(serviceTokens), next].join(' ') };
  }
}

/** `[]` where there are none. */
function issuersGoOn(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`Your sign-in at ${NAMES.format(names)} still opens the account: secure it there as well.`];
}

/** Where no link for a new password was mailed. */
function wayBack(methods: Methods): string {
  if (mailedWays(methods) !== null) return 'Sign in by mail, or ask an administrator to open the account again.';
  if (!methods.has('password')) return 'Ask an administrator to open the account again.';
  return 'Set a new password with “forgotten password”, or ask an administrator to open the account again.';
}
