import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  emptyAnswer,
  enveloped,
  failures,
  failuresOrPage,
  FRESH_SIGN_IN_FAILURES,
  HTML,
  jsonBody,
  objectOf,
  operations,
  schemaRef,
} from '../../../common/openapi/describe.js';
import type { OpenApiFragment, Paths } from '../../../common/openapi/openapi.registry.js';
import { PROVIDER_NAMES, type ProviderName } from '../../../config/provider-settings.js';
import { CODE_CHALLENGE } from '../../exchange/exchange-codes.js';
import { SIGN_IN_TAG } from '../../methods/sign-in-methods.js';
import { TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';
import { NAME_LENGTH, NONCE_LENGTH } from './id-token.dto.js';

const operation = operations(SIGN_IN_TAG);

/** `oidc` -> `Oidc`, in the names of operations. */
const titled = (name: ProviderName): string => name.charAt(0).toUpperCase() + name.slice(1);

const text = (description: string, limits: OpenAPIV3_1.SchemaObject = {}): OpenAPIV3_1.SchemaObject =>
  Object.assign({ type: 'string' as const, description }, limits);

function query(name: string, description: string): OpenAPIV3_1.ParameterObject {
  return { name, in: 'query', required: false, description, schema: { type: 'string' } };
}

const TOKENS = answer('The tokens of a new session.', schemaRef('TokenAnswer'));

const redirect = (name: ProviderName) =>
  operation(`begin${titled(name)}SignIn`, `Begin to sign in with ${titled(name)}`, {
    description:
      'To be opened by a browser. It keeps the sign-in in a cookie for ten minutes. A user who is signed in links the ' +
      'provider to their account by the header, or with `as=link` by the cookie of the refresh token: 401 ' +
      '`insufficient_user_authentication` if the sign-in of the session is not a fresh one.',
    security: [{}, { bearer: [] }],
    parameters: [
      query(
        'redirect_to',
        'Where to go in the end, with `?code=` or `?error=`. One of `REDIRECT_ALLOW_LIST`, exactly.',
      ),
      query(
        'code_challenge',
        'SHA-256 of a verifier in base64url (PKCE), which the exchange of the code then asks for.',
      ),
      query(
        'max_age',
        'The user signs in again at the provider if the last time was longer ago, for a fresh sign-in: seconds.',
      ),
      query(
        'as',
        '`link`: a page of the same origin links the provider to the account of the cookie; if none of its sessions ' +
          'goes on, it is a sign-in. Without it the cookie does not count.',
      ),
      query('link', `From \`POST /api/auth/${name}/link\`, alone. A page asks first whether to go on.`),
    ],
    responses: {
      200: { description: 'A page that names the account and asks whether to go on.', content: { 'text/html': HTML } },
      302: emptyAnswer('To the provider.', 'Location'),
      ...failuresOrPage('invalid_query', 'invalid_state', 'invalid_token', 'provider_not_configured'),
      ...(name === 'oidc' ? failuresOrPage('provider_unavailable') : {}),
    },
  });

const confirm = (name: ProviderName) =>
  operation(`confirm${titled(name)}Link`, `Go on to link ${titled(name)}`, {
    description:
      'The form of the page behind the address of a link. 403 `csrf_rejected` without the cookie of that page, and where ' +
      'the browser says neither by `Sec-Fetch-Site` nor by `Origin` or `Referer` that the page is one of the service.',
    security: [],
    parameters: [query('link', `From \`POST /api/auth/${name}/link\`, alone.`)],
    responses: {
      302: emptyAnswer('To the provider.', 'Location'),
      ...failuresOrPage('invalid_query', 'invalid_state', 'csrf_rejected', 'provider_not_configured'),
      ...(name === 'oidc' ? failuresOrPage('provider_unavailable') : {}),
    },
  });

const callback = (name: ProviderName) =>
  operation(`finish${titled(name)}SignIn`, `Come back from ${titled(name)}`, {
    description:
      'If the sign-in was begun with `redirect_to`, the browser goes there, with a one-time code for ' +
      '`/api/auth/exchange` or with the name of an error. Otherwise it gets the answer itself. `HEAD` is 405: a look does not spend the code.',
    security: [],
    parameters: [
      query('code', 'From the provider.'),
      query('state', 'From the provider.'),
      query('error', 'From the provider, in place of the code.'),
      query('iss', 'From the provider: its name.'),
      ...(name === 'apple' ? [query('user', 'From Apple, at the first time: JSON with the name.')] : []),
    ],
    responses: {
      200: TOKENS,
      303: emptyAnswer('To `redirect_to`.', 'Location'),
      ...failuresOrPage(
        ...(['invalid_query', 'invalid_state', 'invalid_code_exchange'] as const),
        ...(['access_denied', 'invalid_id_token', 'insufficient_user_authentication', 'invalid_token'] as const),
        ...(['account_disabled', 'signup_closed', 'provider_email_unverified'] as const),
        ...(name === 'oidc' ? (['role_not_granted', 'last_admin'] as const) : []),
        ...(['account_link_required', 'identity_taken'] as const),
        ...(['provider_unavailable', 'provider_not_configured'] as const),
      ),
    },
  });

const receiveForm = operation('receiveAppleForm', 'Come back from Apple with a form', {
  description: 'Sends the browser on to the same address with GET, where it has its cookie. Changes nothing.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: schemaRef('AppleForm'),
        example: { code: 'the-code-of-apple', state: 'ours' },
      },
    },
  },
  responses: { 303: emptyAnswer('To the same address.', 'Location'), ...failuresOrPage('validation_failed') },
});

const token = (name: ProviderName) =>
  operation(`signInWith${titled(name)}Token`, `Sign in with an id_token of ${titled(name)}`, {
    description:
      'For apps that get the id_token from the provider themselves. It is taken once. With the access token of a session ' +
      'the provider is linked to its user: 401 `insufficient_user_authentication` if its sign-in is not a fresh one.',
    security: [{}, { bearer: [] }],
    requestBody: jsonBody(schemaRef('IdTokenSignIn'), { id_token: 'eyJ…', nonce: 'the-nonce-that-the-app-asked-for' }),
    responses: {
      200: TOKENS,
      ...failures('invalid_query', 'validation_failed'),
      ...failures('account_link_required', 'identity_taken', ...(name === 'oidc' ? (['last_admin'] as const) : [])),
      ...failures('invalid_id_token', 'invalid_token', 'insufficient_user_authentication'),
      ...failures(
        ...(['account_disabled', 'signup_closed', 'provider_email_unverified'] as const),
        ...(name === 'oidc' ? (['role_not_granted'] as const) : []),
      ),
      ...failures('provider_unavailable', 'provider_not_configured'),
    },
  });

const link = (name: ProviderName) =>
  operation(`link${titled(name)}`, `Begin to link ${titled(name)}`, {
    description:
      'For a page of another origin, whose browser can send no access token when it is sent away: the answer has an ' +
      'address to send it to, which works once, within two minutes. It shows which account is linked and asks before it goes on.',
    requestBody: jsonBody(schemaRef('LinkStart'), {}),
    responses: {
      200: answer('Where to send the browser.', enveloped(schemaRef('LinkAddress'))),
      ...failures('invalid_query', 'validation_failed', 'provider_not_configured'),
      ...failures(...FRESH_SIGN_IN_FAILURES),
      ...(name === 'oidc' ? failures('provider_unavailable') : {}),
    },
  });

const logout = operation('endSessionsOfProvider', 'Take a logout of the provider', {
  description:
    'OpenID Connect Back-Channel Logout 1.0: ends the sessions that were begun in the session `sid` of the provider or, ' +
    'without one, all that the person `sub` has begun there; if the `sid` is unknown, those of `sub` that began without one. Each logout_token is taken once.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: schemaRef('ProviderLogout'), example: { logout_token: 'eyJ…' } },
    },
  },
  responses: {
    200: emptyAnswer('Those sessions are over.'),
    ...failures('invalid_logout_token', 'provider_unavailable', 'provider_not_configured'),
  },
});

function pathsOf(name: ProviderName): Paths {
  const path = `/api/auth/${name}`;
  return {
    [`${path}/redirect`]: { get: redirect(name), post: confirm(name) },
    [`${path}/callback`]: { get: callback(name), ...(name === 'apple' ? { post: receiveForm } : {}) },
    [`${path}/token`]: { post: token(name) },
    [`${path}/link`]: { post: link(name) },
    ...(name === 'oidc' ? { [`${path}/backchannel-logout`]: { post: logout } } : {}),
  };
}

/** The routes of signing in with providers. */
export const PROVIDERS_API: OpenApiFragment = {
  schemas: {
    AppleForm: {
      type: 'object',
      additionalProperties: true,
      properties: {
        code: text('The code.'),
        state: text('Ours.'),
        error: text('In place of the code.'),
        user: text('JSON with the name, which a new account gets.'),
      },
    },
    LinkAddress: objectOf({
      url: text('To be opened by a browser.', { format: 'uri' }),
      expires_in: { type: 'integer', description: 'Seconds.' },
    }),
    LinkStart: objectOf(
      {
        redirect_to: text('Where to go in the end. One of `REDIRECT_ALLOW_LIST`, exactly.'),
        code_challenge: text('As that of `redirect`.', { pattern: CODE_CHALLENGE.source }),
      },
      { required: [] },
    ),
    ProviderLogout: {
      type: 'object',
      additionalProperties: true,
      required: ['logout_token'],
      properties: { logout_token: text('A JWT of the provider; its `typ` is `logout+jwt` or `JWT`, or missing.') },
    },
    IdTokenSignIn: objectOf(
      {
        id_token: text('From the provider.'),
        nonce: text('What was asked to be in it, or what that is the SHA-256 of.', NONCE_LENGTH),
        name: text('For a new account, if the provider sends none.', NAME_LENGTH),
        mode: TOKEN_MODE,
      },
      { required: ['id_token', 'nonce'] },
    ),
  },
  paths: Object.fromEntries(PROVIDER_NAMES.flatMap((name) => Object.entries(pathsOf(name)))),
};
