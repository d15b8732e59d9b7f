import { Injectable } from '@nestjs/common';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { ValidationError } from '../../../common/errors/domain-error.js';
import { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import { Settings } from '../../../config/settings.js';
import type { UserAuthority } from '../../../users/roles/user-authority.js';
import { UserDto } from '../../../users/user.dto.js';
import { invitationPage, signedInPage } from '../../pages/own-pages.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { SignInAnswers, type TokenAnswer } from '../../sessions/answers/sign-in-answers.js';
import type { AcceptDto } from './invitation.dto.js';
import { InvitationAcceptanceService, type Acceptance } from './invitation-acceptance.service.js';
import { INVITATION_SECONDS, InvitationsService } from './invitations.service.js';
import type { Invitation } from './invited-accounts.js';

/** What is answered of an invitation; its link is in the mail only. */
export interface InvitationAnswer {
  readonly user: UserDto;
  /** Seconds. */
  readonly expires_in: number;
}

/** Answers those who invite, and those who were invited. */
@Injectable()
export class InvitationAnswers {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: InvitationAcceptanceService,
    private readonly answers: SignInAnswers,
    private readonly settings: Settings,
    private readonly audit: Audit,
  ) {}

  async invite(invitation: Invitation, authority: UserAuthority): Promise<Answer<InvitationAnswer>> {
    const user = UserDto.from(await this.invitations.invite(invitation, authority));
    return Answer.created({ user, expires_in: INVITATION_SECONDS }, `/api/users/${user.id}`);
  }

  /** @param address who was invited, masked */
  page(token: string, address: string): Page {
    return invitationPage(token, address, this.settings.signIn.methods);
  }

  async accept({ mode, ...acceptance }: AcceptDto, visitor: Visitor): Promise<TokenAnswer | Answer<TokenAnswer>> {
    return this.answers.of(await this.accepted(acceptance, visitor), mode);
  }

  /** The browser keeps the session as a cookie. */
  async acceptInBrowser({ mode: _, ...acceptance }: AcceptDto, visitor: Visitor): Promise<Page> {
    const opened = await this.accepted(acceptance, visitor);
    return signedInPage(opened.account.name, await this.answers.cookiesOf(opened));
  }

  /** A password that opens nothing is refused: its user would trust in it, and it might open something one day. */
  private accepted(acceptance: Acceptance, visitor: Visitor): Promise<OpenedSession> {
    if (acceptance.password === undefined || this.hasPasswords) {
      const event = { event: 'invitation.accepted', visitor } as const;
      return this.audit.noteRefusal(event, () => this.acceptance.accept(acceptance, visitor));
    }
    const message = 'Signing in by password is switched off here. Leave password out.';
    throw new ValidationError([{ field: 'password', rule: 'switched_off', message }]);
  }

  private get hasPasswords(): boolean {
    return this.settings.signIn.methods.has('password');
  }
}
