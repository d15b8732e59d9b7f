import { Body, Controller, Get, HttpCode, Post, UseGuards, Injectable } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Audit } from '../../../audit/audit.js';
import { FreshSignIn, Public, RequireScope } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { ValidationError } from '../../../common/errors/domain-error.js';
import { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { Settings } from '../../../config/settings.js';
import { CurrentAuthority, type UserAuthority } from '../../../users/roles/user-authority.js';
import { UserDto } from '../../../users/user.dto.js';
import { IsForm, OwnFormGuard, linkToken } from '../../pages/own-form.guard.js';
import { invitationPage, signedInPage } from '../../pages/own-pages.js';
import { type TokenAnswer, SignInAnswers } from '../../sessions/answers/sign-in-answers.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { LinkOwners } from '../challenges/link-owners.js';
import { AcceptDto, InviteDto } from './invitation.dto.js';
import {
  INVITATION_SECONDS,
  InvitationsService,
  InvitationAcceptanceService,
  type Acceptance,
} from './invitations.service.js';

/** What is answered of an invitation; its link is in the mail only. */
interface InvitationAnswer {
  readonly user: UserDto;
  /** Seconds. */
  readonly expires_in: number;
}

/** Lets invited people in, and answers them. */
@Injectable()
export class InvitationAnswers {
  constructor(
    private readonly acceptance: InvitationAcceptanceService,
    private readonly answers: SignInAnswers,
    private readonly settings: Settings,
    private readonly audit: Audit,
  ) {}

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
    if (acceptance.password === undefined || this.settings.signIn.methods.has('password')) {
      const event = { event: 'invitation.accepted', visitor } as const;
      return this.audit.noteRefusal(event, () => this.acceptance.accept(acceptance, visitor));
    }
    const message = 'Signing in by password is switched off here. Leave password out.';
    throw new ValidationError([{ field: 'password', rule: 'switched_off', message }]);
  }
}

/** Bringing people in by mail. */
@Controller('api/auth/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly answers: InvitationAnswers,
    private readonly owners: LinkOwners,
    private readonly settings: Settings,
  ) {}

  @Post()
  @RequireScope('users:write')
  @FreshSignIn()
  @Throttle(budget('users'))
  async invite(
    @Body() body: InviteDto,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<Answer<InvitationAnswer>> {
    const user = UserDto.from(await this.invitations.invite(body, authority));
    return Answer.created({ user, expires_in: INVITATION_SECONDS }, `/api/users/${user.id}`);
  }

  /** Spends nothing. */
  @Public()
  @Get('accept')
  async page(@UrlQuery() query: URLSearchParams): Promise<Page> {
    const token = linkToken(query);
    const address = await this.owners.requireOpen('invitation', token);
    return invitationPage(token, address, this.settings.signIn.methods);
  }

  @Public()
  @Post('accept')
  @HttpCode(200)
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  accept(
    @Body() body: AcceptDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer> | Page> {
    if (!isForm) return this.answers.accept(body, visitor);
    return this.owners.naming('invitation', body.token, () => this.answers.acceptInBrowser(body, visitor));
  }
}
