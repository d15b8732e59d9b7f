import { Controller, Get, Post, UseGuards, Body } from '@nestjs/common';
import { Throttle, SkipThrottle } from '@nestjs/throttler';
import { CurrentCaller, Public } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import { Page } from '../../common/http/page.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { answer, answerOrPage, enveloped, LINK_TOKEN_EXAMPLE } from '../../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../../common/openapi/endpoint.js';
import { budget } from '../../common/rate-limits/budgets.js';
import { escapeHtml } from '../../common/text/escape-html.js';
import { Settings } from '../../config/settings.js';
import { DescribedBody } from '../../common/openapi/body.js';
import { UsersService } from '../../users/users.service.js';
import { mailedWays, type Methods } from '../methods/sign-in-methods.js';
import { remainingServiceTokens } from '../notices/notice-texts.js';
import { IsForm, OwnFormGuard, IsLinkToken, linkToken } from '../pages/own-form.guard.js';
import { FormPage, MESSAGE } from '../pages/own-pages.js';
import { MailedLinks } from '../proofs/challenges/mailed-links.js';
import { requirePresent, requireSession } from '../tokens/access/session-ref.js';
import { ACCOUNT_SECURITY, AccountSecurityReader } from './account-security-reader.js';
import { LockDownService, type LockedDown } from './lock-down.service.js';

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

/** `corp and gateway` */
const NAMES = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const MAILED = 'A mail with a link for a new password is on its way.';
const ENDED = 'Password, sessions, linked identities and personal API tokens have ended.';

function lockDownAnswer({ isMailed, serviceTokens, issuers }: LockedDown, { signIn }: Settings) {
  const next = isMailed ? MAILED : wayBack(signIn.methods);
  return { message: [ENDED, ...issuersGoOn(issuers), ...remainingServiceTokens(serviceTokens), next].join(' ') };
}

/** `[]` where there are none. */
function issuersGoOn(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`Your sign-in at ${NAMES.format(names)} still opens the account: secure it there as well.`];
}

/** The way back if no link for a new password was mailed. */
function wayBack(methods: Methods): string {
  if (mailedWays(methods) !== null) return 'Sign in by mail, or ask an administrator to open the account again.';
  if (!methods.has('password')) return 'Ask an administrator to open the account again.';
  return 'Set a new password with “forgotten password”, or ask an administrator to open the account again.';
}

/** Body of `POST /api/auth/lock-down`. */
@DescribedBody('LockDown', { token: LINK_TOKEN_EXAMPLE })
class LockDownDto {
  @IsLinkToken()
  token!: string;
}

const WHAT =
  'Ends password, sessions, linked identities, pending links and API tokens of the user, and mails a link for a new password. ' +
  'Identities of trusted issuers and gateways stay.';

/** Locking an account down by the link of a notice. */
@Public()
@Controller('api/auth/lock-down')
@EndpointGroup('Sign-in')
@Throttle(budget('lockDown'))
@SkipThrottle({ auth: true })
export class LockDownController {
  constructor(
    private readonly lockDown: LockDownService,
    private readonly links: MailedLinks,
    private readonly settings: Settings,
  ) {}

  @Get()
  @FormPage(
    'showLockDownForm',
    'The page behind the link of a notice',
    'Asks before anything happens. The link has 60 requests a minute and address of its own.',
  )
  async page(@UrlQuery() query: URLSearchParams) {
    const token = linkToken(query);
    await this.links.requireOpen('lock_down', token);
    return lockDownPage(token, this.settings);
  }

  @Post()
  @UseGuards(OwnFormGuard)
  @Endpoint('lockDownByLink', 'Lock an account down by the link of a notice', {
    description: `${WHAT} A link that was mailed to a former address of the account mails none.`,
    answers: { 200: answerOrPage('The account is locked down.', MESSAGE) },
    fails: ['invalid_link', 'csrf_rejected'],
    forBrowsers: true,
  })
  async lock(@Body() { token }: LockDownDto, @IsForm() isForm: boolean, @CurrentVisitor() visitor: Visitor) {
    const answer = lockDownAnswer(await this.lockDown.byLink(token, visitor), this.settings);
    if (!isForm) return answer;
    return new Page('Your account is locked down', `<p role="status">${escapeHtml(answer.message)}</p>`, {
      isLast: true,
    });
  }
}

/** Credentials that open one's own account. */
@Controller('api/auth/security')
@EndpointGroup('Sign-in')
@UseGuards(NoQueryGuard)
export class SecurityController {
  constructor(
    private readonly users: UsersService,
    private readonly security: AccountSecurityReader,
    private readonly lockDown: LockDownService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Endpoint('getMySecurity', 'What opens my account', {
    description: 'Sessions, linked identities, active API tokens, and the last events: at most a hundred of each kind.',
    answers: { 200: answer('What opens the account.', enveloped(ACCOUNT_SECURITY)) },
    fails: ['no_session'],
  })
  async read(@CurrentCaller() caller: Caller) {
    const { userId, sessionId } = requireSession(caller);
    return { data: await this.security.of(requirePresent(await this.users.find(userId)), sessionId) };
  }

  /** Asks for no fresh sign-in: it is for emergencies, and takes nothing from anybody but the caller. */
  @Post('lock-down')
  @Endpoint('lockDown', 'Lock my account down', {
    description: `${WHAT} The session of the request ends too.`,
    answers: { 200: answer('The account is locked down.', MESSAGE) },
    fails: ['no_session'],
  })
  async lock(@CurrentCaller() caller: Caller, @CurrentVisitor() visitor: Visitor) {
    return lockDownAnswer(await this.lockDown.bySession(requireSession(caller), visitor), this.settings);
  }
}
