import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, emptyAnswer, failures, jsonBody, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment, Paths } from '../../common/openapi/openapi.registry.js';
import { PROVIDER_NAMES, type ProviderName } from '../../config/provider-settings.js';
import { TOKEN_MODE } from '../sessions/token-mode.js';
import { SIGN_IN_TAG } from '../sessions/sessions.openapi.js';

const TITLES: Readonly<Record<ProviderName, string>> = { google: 'Google', apple: 'Apple', oidc: 'Oidc' };

const text = (description: string, limits: OpenAPIV3_1.SchemaObject = {}): OpenAPIV3_1.SchemaObject =>
  Object.assign({ type: 'string' as const, description }, limits);

function query(name: string, description: string, required = false): OpenAPIV3_1.ParameterObject {
  return { name, in: 'query', required, description, schema: { type: 'string' } };
}

/** Google tells verified addresses of domains that it does not speak for. */
function mayNeedLink(name: ProviderName): OpenAPIV3_1.ResponsesObject {
  return name === 'google' ? failures('account_link_required') : {};
}

const TOKENS = answer('The tokens of a new session.', schemaRef('TokenAnswer'));

const redirect = (name: ProviderName): OpenAPIV3_1.OperationObject => ({
  tags: [SIGN_IN_TAG],
  operationId: `begin${TITLES[name]}SignIn`,
  summary: `Begin to sign in with ${TITLES[name]}`,
  description:
    'To be opened by a browser. It keeps the sign-in in a cookie for ten minutes. Somebody who is signed in, by the ' +
    'header or by the cookie of the refresh token, for no longer than ten minutes, links the provider to their account.',
  security: [{}, { bearer: [] }],
  parameters: [
    query('redirect_to', 'Where to go in the end, with `?code=` or `?error=`. One of `REDIRECT_ALLOW_LIST`, exactly.'),
    query('code_challenge', 'SHA-256 of a verifier in base64url (PKCE), which the exchange of the code then asks for.'),
  ],
  responses: {
    302: emptyAnswer('To the provider.', 'Location'),
    ...failures('invalid_query', 'invalid_token', 'provider_not_configured'),
    ...(name === 'oidc' ? failures('provider_unavailable') : {}),
  },
});

const callback = (name: ProviderName): OpenAPIV3_1.OperationObject => ({
  tags: [SIGN_IN_TAG],
  operationId: `finish${TITLES[name]}SignIn`,
  summary: `Come back from ${TITLES[name]}`,
  description:
    'Where the sign-in was begun with `redirect_to`, the browser goes there, with a one-time code for ' +
    '`/api/auth/exchange` or with the name of an error. Otherwise it gets the answer itself.',
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
    ...failures(
      ...(['invalid_query', 'invalid_state', 'invalid_code_exchange'] as const),
      ...(['access_denied', 'invalid_id_token'] as const),
      ...(['account_disabled', 'signup_closed', 'provider_email_unverified'] as const),
      ...(['provider_unavailable', 'provider_not_configured'] as const),
    ),
    ...mayNeedLink(name),
  },
});

const receiveForm: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'receiveAppleForm',
  summary: 'Come back from Apple with a form',
  description: 'Sends the browser on to the same address with GET, where it has its cookie. Changes nothing.',
  security: [],
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: schemaRef('AppleForm') } },
  },
  responses: { 303: emptyAnswer('To the same address.', 'Location'), ...failures('validation_failed') },
};

const token = (name: ProviderName): OpenAPIV3_1.OperationObject => ({
  tags: [SIGN_IN_TAG],
  operationId: `signInWith${TITLES[name]}Token`,
  summary: `Sign in with an id_token of ${TITLES[name]}`,
  description:
    'For apps that get the id_token from the provider themselves. It is taken once. With the access token of a session ' +
    'that is no older than ten minutes, the provider is linked to its user.',
  security: [{}, { bearer: [] }],
  requestBody: jsonBody(schemaRef('IdTokenSignIn')),
  responses: {
    200: TOKENS,
    ...failures('invalid_query', 'validation_failed'),
    ...mayNeedLink(name),
    ...failures('invalid_id_token', 'invalid_token'),
    ...failures('account_disabled', 'signup_closed', 'provider_email_unverified'),
    ...failures('provider_unavailable', 'provider_not_configured'),
  },
});

function object(properties: Record<string, OpenAPIV3_1.SchemaObject>, ...required: string[]): OpenAPIV3_1.SchemaObject {
  return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 ? { required } : {}) };
}

function pathsOf(name: ProviderName): Paths {
  const path = `/api/auth/${name}`;
  return {
    [`${path}/redirect`]: { get: redirect(name) },
    [`${path}/callback`]: { get: callback(name), ...(name === 'apple' ? { post: receiveForm } : {}) },
    [`${path}/token`]: { post: token(name) },
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
        user: text('JSON with the name.'),
      },
    },
    IdTokenSignIn: object(
      {
        id_token: text('From the provider.'),
        nonce: text('What was asked to be in it, or what that is the SHA-256 of.', { minLength: 1, maxLength: 255 }),
        name: text('For a new account, where the provider tells none.', { maxLength: 255 }),
        mode: TOKEN_MODE,
      },
      'id_token',
      'nonce',
    ),
  },
  paths: Object.fromEntries(PROVIDER_NAMES.flatMap((name) => Object.entries(pathsOf(name)))),
};
