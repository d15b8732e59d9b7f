import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { type ErrorName } from '../../../common/errors/catalogue.js';
import { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import { NoHeadGuard } from '../../../common/http/routes/no-head.guard.js';
import { NoQueryGuard } from '../../../common/http/routes/no-query.guard.js';
import { emptyAnswer, formBody, HTML, query } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named, type NamedEndpoint } from '../../../common/openapi/endpoint.js';
import type { ProviderName } from '../../../config/provider-settings.js';
import { type TokenAnswer, NEW_SESSION } from '../../sessions/answers/sign-in-answers.js';
import {
  type FlowOutcome,
  CurrentOutcome,
  CurrentProvider,
  LinkQuestion,
  ofEveryProvider,
  DescribedForEach,
} from './flow/flow.js';
import { callbackAddress } from './flow/flow-query.js';
import { IdTokenDto } from './id-token.dto.js';
import type { PresentedSession } from './identity/identity-provider.js';
import { ProviderAnswers } from './provider-answers.js';
import { CallbackGuard, RedirectGuard, ConfirmedLinkGuard, LinkGuard, LinkingSession } from './redirect/flow.guards.js';

type Tokens = TokenAnswer | Answer<TokenAnswer>;

const SIGNED_IN_OR_NOT: NamedEndpoint['security'] = [{}, { bearer: [] }];

const LINK = (name: ProviderName) => query('link', `From \`POST /api/auth/${name}/link\`, alone.`);
/** Only its addresses are asked for: those of the others are known. */
const AWAY = (name: ProviderName): ErrorName[] => (name === 'oidc' ? ['provider_unavailable'] : []);
/** Only its groups give roles. */
const ROLE = (name: ProviderName): ErrorName[] => (name === 'oidc' ? ['role_not_granted', 'last_admin'] : []);

const redirect = (name: ProviderName, title: string): NamedEndpoint => ({
  id: `begin${title}SignIn`,
  summary: `Begin to sign in with ${title}`,
  description:
    'To be opened by a browser. It keeps the sign-in in a cookie for ten minutes. A user who is signed in links the ' +
    'provider to their account by the header, or with `as=link` by the cookie of the refresh token: 401 ' +
    '`insufficient_user_authentication` if the sign-in of the session is not a fresh one.',
  security: SIGNED_IN_OR_NOT,
  parameters: [
    query('redirect_to', 'Where to go in the end, with `?code=` or `?error=`. One of `REDIRECT_ALLOW_LIST`, exactly.'),
    query('code_challenge', 'SHA-256 of a verifier in base64url (PKCE), which the exchange of the code then asks for.'),
    query(
      'max_age',
      'The user signs in again at the provider if the last time was longer ago, for a fresh sign-in: seconds.',
    ),
    query(
      'as',
      '`link`: a page of the same origin links the provider to the account of the cookie; if none of its sessions ' +
        'goes on, it is a sign-in. Without it the cookie does not count.',
    ),
    query('link', `${LINK(name).description ?? ''} A page asks first whether to go on.`),
  ],
  answers: {
    200: { description: 'A page that names the account and asks whether to go on.', content: { 'text/html': HTML } },
    302: emptyAnswer('To the provider.', 'Location'),
  },
  fails: ['invalid_query', 'invalid_state', 'invalid_token', 'provider_not_configured', ...AWAY(name)],
  forBrowsers: true,
});

const callback = (name: ProviderName, title: string): NamedEndpoint => ({
  id: `finish${title}SignIn`,
  summary: `Come back from ${title}`,
  description:
    'If the sign-in was begun with `redirect_to`, the browser goes there, with a one-time code for ' +
    '`/api/auth/exchange` or with the name of an error. Otherwise it gets the answer itself. `HEAD` is 405: a look does not spend the code.',
  parameters: [
    query('code', 'From the provider.'),
    query('state', 'From the provider.'),
    query('error', 'From the provider, in place of the code.'),
    query('iss', 'From the provider: its name.'),
    ...(name === 'apple' ? [query('user', 'From Apple, at the first time: JSON with the name.')] : []),
  ],
  answers: { 200: NEW_SESSION, 303: emptyAnswer('To `redirect_to`.', 'Location') },
  fails: [
    ...(['invalid_query', 'invalid_state', 'invalid_code_exchange', 'access_denied', 'invalid_id_token'] as const),
    ...(['insufficient_user_authentication', 'invalid_token', 'account_disabled', 'signup_closed'] as const),
    ...(['provider_email_unverified', 'account_link_required', 'identity_taken'] as const),
    ...(['provider_unavailable', 'provider_not_configured'] as const),
    ...ROLE(name),
  ],
  forBrowsers: true,
});

const TEXT = { type: 'string' } as const;
const APPLE_FORM = named('AppleForm', {
  type: 'object',
  additionalProperties: true,
  properties: {
    code: { ...TEXT, description: 'The code.' },
    state: { ...TEXT, description: 'Ours.' },
    error: { ...TEXT, description: 'In place of the code.' },
    user: { ...TEXT, description: 'JSON with the name, which a new account gets.' },
  },
});

/** Signing in with Google, Apple and an OpenID Connect provider. */
@Public()
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class ProvidersController {
  constructor(private readonly answers: ProviderAnswers) {}

  /** Reached where a page asks first. */
  @Get(ofEveryProvider('redirect'))
  @UseGuards(RedirectGuard)
  @DescribedForEach(redirect)
  redirect(@LinkQuestion() page: Page): Page {
    return page;
  }

  /** The form of the page. Never reached: its guard sends the browser away, or refuses. */
  @Post(ofEveryProvider('redirect'))
  @UseGuards(ConfirmedLinkGuard)
  @DescribedForEach((name, title) => ({
    id: `confirm${title}Link`,
    summary: `Go on to link ${title}`,
    description:
      'The form of the page behind the address of a link. 403 `csrf_rejected` without the cookie of that page, and where ' +
      'the browser says neither by `Sec-Fetch-Site` nor by `Origin` or `Referer` that the page is one of the service.',
    parameters: [LINK(name)],
    answers: { 302: emptyAnswer('To the provider.', 'Location') },
    fails: ['invalid_query', 'invalid_state', 'csrf_rejected', 'provider_not_configured', ...AWAY(name)],
    forBrowsers: true,
  }))
  confirm(): void {
    throw new Error('ConfirmedLinkGuard has answered.');
  }

  @Get(ofEveryProvider('callback'))
  @UseGuards(NoHeadGuard, CallbackGuard)
  @DescribedForEach(callback)
  async callback(
    @CurrentProvider() provider: ProviderName,
    @CurrentOutcome() outcome: FlowOutcome,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<Tokens | Answer<undefined>> {
    return this.answers.comeBack(provider, outcome, visitor);
  }

  @Post('apple/callback')
  @Endpoint('receiveAppleForm', 'Come back from Apple with a form', {
    description: 'Sends the browser on to the same address with GET, where it has its cookie. Changes nothing.',
    body: formBody(APPLE_FORM, { code: 'the-code-of-apple', state: 'ours' }),
    answers: { 303: emptyAnswer('To the same address.', 'Location') },
    fails: ['validation_failed'],
    forBrowsers: true,
  })
  receiveForm(@Body() form: unknown): Answer<undefined> {
    return Answer.seeOther(callbackAddress(form));
  }

  @Post(ofEveryProvider('token'))
  @HttpCode(200)
  @UseGuards(NoQueryGuard, LinkGuard)
  @DescribedForEach((name, title) => ({
    id: `signInWith${title}Token`,
    summary: `Sign in with an id_token of ${title}`,
    description:
      'For apps that get the id_token from the provider themselves. It is taken once. With the access token of a session ' +
      'the provider is linked to its user: 401 `insufficient_user_authentication` if its sign-in is not a fresh one.',
    security: SIGNED_IN_OR_NOT,
    answers: { 200: NEW_SESSION },
    fails: [
      ...(['account_link_required', 'identity_taken', 'invalid_id_token', 'invalid_token'] as const),
      ...(['insufficient_user_authentication', 'account_disabled', 'signup_closed'] as const),
      ...(['provider_email_unverified', 'provider_unavailable', 'provider_not_configured'] as const),
      ...ROLE(name),
    ],
  }))
  async token(
    @CurrentProvider() provider: ProviderName,
    @Body() body: IdTokenDto,
    @LinkingSession() session: PresentedSession | null,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<Tokens> {
    return this.answers.fromIdToken(provider, body, session, visitor);
  }
}
