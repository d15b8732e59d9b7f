import { Body, Controller, Get, Post, UseGuards, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import type { Request } from 'express';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { IsString, Matches } from '../../../common/dto-rules.js';
import { Answer } from '../../../common/http/answer.js';
import { asksFor } from '../../../common/http/preference.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import { answer, emptyAnswer, LINK_TOKEN_EXAMPLE } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../../../common/openapi/endpoint.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { Settings } from '../../../config/settings.js';
import { DescribedBody, OptionalField } from '../../../common/openapi/body.js';
import { CODE_CHALLENGE, CODE_CHALLENGE_RULE } from '../../exchange/exchange-codes.js';
import { SignInMethod } from '../../methods/sign-in-methods.js';
import { IsForm, OwnFormGuard, IsLinkToken, linkToken } from '../../pages/own-form.guard.js';
import { signedInPage, signInPage, PROOF_FAILURES, TOKEN_IN_QUERY } from '../../pages/own-pages.js';
import { SignInAnswers, NEW_SESSION_OR_PAGE, TokenModeDto } from '../../sessions/answers/sign-in-answers.js';
import { MAIL_ANSWER, SendMailDto } from '../challenges/asked-mails.js';
import { MailedLinks } from '../challenges/mailed-links.js';
import { SignInMails, ASKED_FOR, MagicLinkService } from '../mail/sign-in-mails.js';

/**
 * The kind of client that requests a mailed link. Scanners of mail look like browsers, and browsers prefetch: only a client
 * that asks for JSON and does not name itself a browser consumes the link.
 */
type ClientKind = 'head' | 'prefetch' | 'browser' | 'program';

const CurrentClientKind = createParamDecorator((_: unknown, context: ExecutionContext): ClientKind => {
  const request = context.switchToHttp().getRequest<Request>();
  const { method, headers } = request;
  if (method === 'HEAD') return 'head';
  if (/\bprefetch\b/i.test(`${String(headers['sec-purpose'])} ${String(headers.purpose)}`)) return 'prefetch';
  const isBrowser = headers['user-agent']?.startsWith('Mozilla/') === true;
  return asksFor(request) === 'json' && !isBrowser ? 'program' : 'browser';
});

/** Addresses that a form of ours may lead to in the end, as a content security policy says it. */
function formSources({ providers }: Settings): readonly string[] {
  return [...new Set(providers.redirectAllowList.map(sourceOf))];
}

/** An origin, or the scheme of an app, which has none. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}

/** Body of `POST /api/auth/magic-link`. */
@DescribedBody('SendLink', { email: 'ann@example.com' })
class SendLinkDto extends SendMailDto {
  @OptionalField(
    {
      type: 'string',
      description:
        'The address that the browser goes to after the sign-in, with a one-time code: one of `REDIRECT_ALLOW_LIST`, word for word.',
    },
    IsString({ message: 'redirect_to must be a string.' }),
  )
  redirect_to?: string;

  @OptionalField(
    {
      type: 'string',
      pattern: CODE_CHALLENGE.source,
      description: 'SHA-256 of a secret in base64url. Then only who has the secret can exchange the code (RFC 7636).',
    },
    Matches(CODE_CHALLENGE, { message: CODE_CHALLENGE_RULE }),
  )
  code_challenge?: string;
}

/** Body of `POST /api/auth/magic-link/verify`. */
@DescribedBody('VerifyLink', { token: LINK_TOKEN_EXAMPLE })
class VerifyLinkDto extends TokenModeDto {
  @IsLinkToken()
  token!: string;
}

const LED_ON = emptyAnswer(
  'A browser goes on to the `redirect_to` of the mail, with a one-time `code` to exchange.',
  'Location',
);

/** Signing in with a link from a mail. */
@Public()
@Controller('api/auth/magic-link')
@EndpointGroup('Sign-in')
@SignInMethod('magic-link')
export class MagicLinkController {
  constructor(
    private readonly mails: SignInMails,
    private readonly mailed: MailedLinks,
    private readonly links: MagicLinkService,
    private readonly answers: SignInAnswers,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Throttle(budget('send'))
  @Endpoint('sendLink', 'Ask for a link by mail', {
    description: `${ASKED_FOR} The mail has a code too; either of them can be used once.`,
    answers: { 200: answer('A mail is on its way, if the address can get one.', MAIL_ANSWER) },
  })
  send(@Body() body: SendLinkDto, @CurrentVisitor() visitor: Visitor) {
    return this.mails.link(body, visitor);
  }

  @Get('verify')
  @Throttle(budget('verify'))
  @Endpoint('visitLink', 'Follow a link', {
    description:
      'A browser is shown a page with a button that posts the token. `HEAD`, and what is fetched beforehand, spends ' +
      'nothing either: mails are read by machines. A program whose `Accept` names `application/json`, and which is not ' +
      'called as browsers are (`Mozilla/`), signs in at once. Parameters that were added to the link are passed over.',
    parameters: [TOKEN_IN_QUERY],
    answers: { 200: NEW_SESSION_OR_PAGE, 204: emptyAnswer('Fetched beforehand (`Sec-Purpose: prefetch`).') },
    fails: ['invalid_link', 'link_over', 'account_disabled', 'signup_closed', 'last_admin'],
    forBrowsers: true,
  })
  async visit(
    @CurrentClientKind() client: ClientKind,
    @UrlQuery() query: URLSearchParams,
    @CurrentVisitor() visitor: Visitor,
  ) {
    if (client === 'head') return Answer.empty(200);
    if (client === 'prefetch') return Answer.empty(204);
    const token = linkToken(query);
    if (client === 'program') return this.answers.of(await this.links.open(token, visitor));
    return signInPage(token, await this.mailed.requireOpen('sign_in', token), formSources(this.settings));
  }

  @Post('verify')
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  @Endpoint('verifyLink', 'Sign in with a link', {
    description: 'What the form of the page posts is answered with a page, and the session is kept in a cookie.',
    answers: { 200: NEW_SESSION_OR_PAGE, 303: LED_ON },
    fails: [...PROOF_FAILURES, 'signup_closed'],
    forBrowsers: true,
  })
  async verify(@Body() { token, mode }: VerifyLinkDto, @IsForm() isForm: boolean, @CurrentVisitor() visitor: Visitor) {
    if (!isForm) return this.answers.of(await this.links.open(token, visitor), mode);
    // A person has no use for tokens: the browser is led on, or keeps the session as a cookie.
    const signedIn = await this.mailed.naming('sign_in', token, () => this.links.lead(token, visitor));
    if (typeof signedIn === 'string') return Answer.seeOther(signedIn);
    return signedInPage(signedIn.account.name, await this.answers.cookiesOf(signedIn));
  }
}
