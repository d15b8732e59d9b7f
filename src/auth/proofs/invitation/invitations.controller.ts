import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Transform, type TransformFnParams } from 'class-transformer';
import { FreshSignIn, Public, RequireScope } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { Answer } from '../../../common/http/answer.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import { answer, LINK_TOKEN_EXAMPLE, objectOf, PASSWORD_EXAMPLE } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../../../common/openapi/endpoint.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { Settings } from '../../../config/settings.js';
import { ROLES, type Role } from '../../../users/roles/roles.js';
import { CurrentAuthority, type UserAuthority } from '../../../users/roles/user-authority.js';
import { DescribedBody, Field, OptionalField } from '../../../common/openapi/body.js';
import { IsEmailAddress, IsName, IsPassword, IsRole } from '../../../users/user-fields.js';
import { NEW_PASSWORD, USER, USER_EMAIL, USER_NAME } from '../../../users/user-schemas.js';
import { UserDto } from '../../../users/user.dto.js';
import { IsForm, IsLinkToken, OwnFormGuard, linkToken } from '../../pages/own-form.guard.js';
import { invitationPage, signedInPage, FormPage, PROOF_FAILURES } from '../../pages/own-pages.js';
import { SignInAnswers, NEW_SESSION_OR_PAGE, TokenModeDto } from '../../sessions/answers/sign-in-answers.js';
import { MailedLinks } from '../challenges/mailed-links.js';
import { INVITATION_SECONDS, InvitationsService, InvitationAcceptanceService } from './invitations.service.js';

/** Body of `POST /api/auth/invitations`. */
@DescribedBody('Invite', { email: 'ann@example.com', name: 'Ann Example', role: 'editor' })
export class InviteDto {
  @Field(USER_EMAIL, IsEmailAddress())
  email!: string;

  @Field(USER_NAME, IsName())
  name!: string;

  @Field({ type: 'string', enum: [...ROLES] }, IsRole())
  role!: Role;
}

/** An empty field of a form was not filled in. */
const Filled = () =>
  Transform(({ value }: TransformFnParams): unknown => (value === '' ? undefined : (value as unknown)));

/** Body of `POST /api/auth/invitations/accept`. */
@DescribedBody('InvitationAcceptance', { token: LINK_TOKEN_EXAMPLE, password: PASSWORD_EXAMPLE })
class AcceptDto extends TokenModeDto {
  @IsLinkToken()
  token!: string;

  @Filled()
  @OptionalField(USER_NAME, IsName())
  name?: string;

  @Filled()
  @OptionalField(NEW_PASSWORD, IsPassword())
  password?: string;
}

const INVITATION = named(
  'Invitation',
  objectOf({
    user: USER,
    expires_in: { type: 'integer', description: 'How long the link works, seconds.', examples: [604_800] },
  }),
);

/** Bringing people in by mail. */
@Controller('api/auth/invitations')
@EndpointGroup('Sign-in')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: InvitationAcceptanceService,
    private readonly links: MailedLinks,
    private readonly answers: SignInAnswers,
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
  async invite(@Body() body: InviteDto, @CurrentAuthority() authority: UserAuthority) {
    const user = UserDto.from(await this.invitations.invite(body, authority));
    return Answer.created({ user, expires_in: INVITATION_SECONDS }, `/api/users/${user.id}`);
  }

  @Public()
  @Get('accept')
  @FormPage('showInvitation', 'The page behind the link of an invitation')
  async page(@UrlQuery() query: URLSearchParams) {
    const token = linkToken(query);
    const address = await this.links.requireOpen('invitation', token);
    return invitationPage(token, address, this.settings.signIn.methods);
  }

  @Public()
  @Post('accept')
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  @Endpoint('acceptInvitation', 'Accept an invitation', {
    description: 'Proves the address and signs in. Without a password the user signs in by mail.',
    answers: { 200: NEW_SESSION_OR_PAGE },
    fails: PROOF_FAILURES,
    forBrowsers: true,
  })
  async accept(
    @Body() { mode, ...acceptance }: AcceptDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ) {
    const accepted = () => this.acceptance.accept(acceptance, visitor);
    if (!isForm) return this.answers.of(await accepted(), mode);
    // The browser keeps the session as a cookie.
    const opened = await this.links.naming('invitation', acceptance.token, accepted);
    return signedInPage(opened.account.name, await this.answers.cookiesOf(opened));
  }
}
