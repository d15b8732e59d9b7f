import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../../common/access/visitor.js';
import type { Page } from '../../../../common/http/page.js';
import { requireEmail } from '../../../../users/rows/user-columns.js';
import { LinkOwners } from '../../challenges/link-owners.js';
import type { MailAnswer } from '../../challenges/mail-answer.js';
import { RESEND_SECONDS } from '../../challenges/mail-limits.js';
import { RESET_SECONDS } from '../../challenges/mailed-links.js';
import { newPasswordPage, passwordChangedPage } from '../../../pages/own-pages.js';
import { ForgottenPasswords } from './forgotten-passwords.js';
import { PasswordResetService, type PasswordReset } from './password-reset.service.js';

const MESSAGE = 'Your password has been changed, and you were signed out everywhere. Sign in with the new one.';

/** Answers those who have forgotten their passwords. */
@Injectable()
export class PasswordResetAnswers {
  constructor(
    private readonly forgotten: ForgottenPasswords,
    private readonly resets: PasswordResetService,
    private readonly owners: LinkOwners,
  ) {}

  /** @throws {DomainError} `link_over` */
  async page(token: string): Promise<Page> {
    return newPasswordPage(token, await this.owners.requireOpen('password_reset', token));
  }

  /** Everybody alike. @throws {DomainError} `too_many_requests` */
  async forgot(email: string, visitor: Visitor): Promise<MailAnswer> {
    await this.forgotten.send(requireEmail(email), visitor);
    const message = 'If there is an account for the address, a link for a new password has been sent.';
    return { message, expires_in: RESET_SECONDS, resend_in: RESEND_SECONDS };
  }

  async reset(
    reset: PasswordReset,
    { isForm, visitor }: { readonly isForm: boolean; readonly visitor: Visitor },
  ): Promise<{ readonly message: string } | Page> {
    await this.owners.naming('password_reset', reset.token, () => this.resets.reset(reset, visitor));
    return isForm ? passwordChangedPage() : { message: MESSAGE };
  }
}
