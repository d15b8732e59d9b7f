import { Body, Controller, Get, HttpCode, Post, UseGuards, Injectable } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Audit } from '../../../audit/audit.js';
import { FreshSignIn, Public, RequireScope } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { ValidationError } from '../../../common/errors/domain-error.js';
import { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import { answer, objectOf } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../../../common/openapi/endpoint.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { Settings } from '../../../config/settings.js';
import { CurrentAuthority, type UserAuthority } from '../../../users/roles/user-authority.js';
import { USER } from '../../../users/user-schemas.js';
import { UserDto } from '../../../users/user.dto.js';
import { IsForm, OwnFormGuard, linkToken } from '../../pages/own-form.guard.js';
import { invitationPage, signedInPage, FormPage, PROOF_FAILURES } from '../../pages/own-pages.js';
import { type TokenAnswer, SignInAnswers, NEW_SESSION_OR_PAGE } from '../../sessions/answers/sign-in-answers.js';
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

const INVITATION = named(
  'Invitation',
  objectOf({
    user: USER,
    expires_in: { type: 'integer', description: 'How long the link works, seconds.', examples: [604_800] },
  }),
);

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
@EndpointGroup('Sign-in')
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
  @Endpoint('inviteUser', 'Invite a user', {
    description:
      'Adds a user without a password and mails them a link that works once, within seven days. A user who has not come yet can be ' +
      'invited again: the link before is over then, and a password, sessions, identities and tokens that the account has ' +
      'are taken away; the last admin who can sign in keeps them. The role has no more scopes than the caller.',
    answers: { 201: answer('Invited.', INVITATION, 'Location') },
    fails: ['account_disabled', 'email_taken', 'last_admin', 'managed_elsewhere'],
  })
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
  @FormPage('showInvitation', 'The page behind the link of an invitation')
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
  @Endpoint('acceptInvitation', 'Accept an invitation', {
    description: 'Proves the address and signs in. Without a password the user signs in by mail.',
    answers: { 200: NEW_SESSION_OR_PAGE },
    fails: PROOF_FAILURES,
    forBrowsers: true,
  })
  accept(
    @Body() body: AcceptDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer> | Page> {
    if (!isForm) return this.answers.accept(body, visitor);
    return this.owners.naming('invitation', body.token, () => this.answers.acceptInBrowser(body, visitor));
  }
}
