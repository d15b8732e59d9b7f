import { Body, Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { CurrentCaller, Public } from '../../../common/access/access.decorators.js';
import type { Caller } from '../../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { IsString, MaxLength, MinLength } from '../../../common/dto-rules.js';
import type { ErrorName } from '../../../common/errors/catalogue.js';
import { Answer } from '../../../common/http/answer.js';
import type { ServiceRequest } from '../../../common/http/request-context.js';
import { NoHeadGuard } from '../../../common/http/routes/no-head.guard.js';
import { NoQueryGuard } from '../../../common/http/routes/no-query.guard.js';
import { answer, emptyAnswer, enveloped, formBody, HTML, objectOf, query } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named, type NamedEndpoint } from '../../../common/openapi/endpoint.js';
import type { ProviderName } from '../../../config/provider-settings.js';
import { DescribedBody, Field, OptionalField } from '../../../common/openapi/body.js';
import { USER_NAME } from '../../../users/user-schemas.js';
import { CODE_CHALLENGE } from '../../exchange/exchange-codes.js';
import { NEW_SESSION, TokenModeDto } from '../../sessions/answers/sign-in-answers.js';
import { callbackAddress, CurrentProvider, ofEveryProvider, DescribedForEach } from './flow/flow.js';
import type { PresentedSession } from './identity/identity-provider.js';
import { LinkGuard, LinkingSession } from './linking/linking-users.js';
import { ProviderAnswers } from './provider-answers.js';
import { TICKET_SECONDS } from './redirect/link-tickets.js';
import { ProviderRedirects } from './redirect/provider-redirects.js';

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

/** Body of `POST /api/auth/{provider}/token`. */
@DescribedBody('IdTokenSignIn', { id_token: 'eyJ…', nonce: 'the-nonce-that-the-app-asked-for' })
class IdTokenDto extends TokenModeDto {
  @Field({ ...TEXT, description: 'From the provider.' }, IsString({ message: 'id_token must be a string.' }))
  id_token!: string;

  @Field(
    {
      ...TEXT,
      description: 'What was asked to be in it, or what that is the SHA-256 of.',
      minLength: 1,
      maxLength: 255,
    },
    IsString({ message: 'nonce must be a string.' }),
    MinLength(1, { message: 'nonce must not be empty.' }),
    MaxLength(255, { message: 'nonce must have at most 255 characters.' }),
  )
  nonce!: string;

  /** A name of which nothing is left is as none. */
  @OptionalField(
    { ...TEXT, description: 'For a new account, if the provider sends none.', maxLength: USER_NAME.maxLength },
    IsString({ message: 'name must be a string.' }),
    MaxLength(USER_NAME.maxLength, { message: `name must have at most ${USER_NAME.maxLength} characters.` }),
  )
  name?: string;
}

/** Signing in with Google, Apple and an OpenID Connect provider. */
@Public()
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class ProvidersController {
  constructor(
    private readonly redirects: ProviderRedirects,
    private readonly answers: ProviderAnswers,
  ) {}

  @Get(ofEveryProvider('redirect'))
  @DescribedForEach(redirect)
  redirect(@CurrentProvider() provider: ProviderName, @Req() request: ServiceRequest) {
    return this.redirects.begin(provider, request);
  }

  /** The form of the page. */
  @Post(ofEveryProvider('redirect'))
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
  confirm(@CurrentProvider() provider: ProviderName, @Req() request: ServiceRequest) {
    return this.redirects.confirm(provider, request);
  }

  @Get(ofEveryProvider('callback'))
  @UseGuards(NoHeadGuard)
  @DescribedForEach(callback)
  callback(@CurrentProvider() provider: ProviderName, @Req() request: ServiceRequest) {
    return this.answers.comeBack(provider, request);
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
  ) {
    return this.answers.fromIdToken(provider, body, session, visitor);
  }
}

/** Body of `POST /api/auth/{provider}/link`: what `GET /api/auth/{provider}/redirect` takes in its query. */
@DescribedBody('LinkStart', {})
class LinkDto {
  @OptionalField(
    { ...TEXT, description: 'Where to go in the end. One of `REDIRECT_ALLOW_LIST`, exactly.' },
    IsString({ message: 'redirect_to must be a string.' }),
  )
  redirect_to?: string;

  @OptionalField(
    { ...TEXT, description: 'As that of `redirect`.', pattern: CODE_CHALLENGE.source },
    IsString({ message: 'code_challenge must be a string.' }),
  )
  code_challenge?: string;
}

const LINK_ADDRESS = named(
  'LinkAddress',
  objectOf({
    url: { type: 'string', description: 'To be opened by a browser.', format: 'uri' },
    expires_in: { type: 'integer', description: 'Seconds.' },
  }),
);

/** Linking identities to the account of an access token, from a page of another origin. */
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class ProviderLinksController {
  constructor(private readonly redirects: ProviderRedirects) {}

  @Post(ofEveryProvider('link'))
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  @DescribedForEach((name, title) => ({
    id: `link${title}`,
    summary: `Begin to link ${title}`,
    description:
      'For a page of another origin, whose browser can send no access token when it is sent away: the answer has an ' +
      'address to send it to, which works once, within two minutes. It shows which account is linked and asks before it goes on.',
    answers: { 200: answer('Where to send the browser.', enveloped(LINK_ADDRESS)) },
    fails: ['insufficient_user_authentication', 'provider_not_configured', ...AWAY(name)],
  }))
  async begin(@CurrentProvider() provider: ProviderName, @CurrentCaller() caller: Caller, @Body() body: LinkDto) {
    return { data: { url: await this.redirects.link(provider, caller, body), expires_in: TICKET_SECONDS } };
  }
}
