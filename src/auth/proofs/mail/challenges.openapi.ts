import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  answerOrPage,
  emptyAnswer,
  failures,
  failuresOrPage,
  jsonBody,
  jsonOrFormBody,
  schemaRef,
  operations,
  LINK_TOKEN_EXAMPLE,
} from '../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../common/openapi/openapi.registry.js';
import { SIGN_IN_TAG } from '../../methods/sign-in-methods.js';
import { challengeSchemas } from '../challenges/challenge-schemas.js';

const operation = operations(SIGN_IN_TAG);

const ASKED_FOR =
  'Everybody is answered alike, whether they have an account or not. Within a minute of a mail nothing is sent, and what ' +
  'it holds still works; there are five mails an hour for an address and then one in ten minutes, and five for each device on which its user was ' +
  'signed in before.';
const TOKENS = answer('The tokens of a new session.', schemaRef('TokenAnswer'));
const TOKENS_OR_PAGE = answerOrPage('The tokens of a new session; for browsers a page.', schemaRef('TokenAnswer'));

const sendCode = operation('sendCode', 'Ask for a code by mail', {
  description: `${ASKED_FOR} The mail has a link too; either of them can be used once.`,
  security: [],
  requestBody: jsonBody(schemaRef('SendMail'), { email: 'ann@example.com' }),
  responses: {
    200: answer('A mail is on its way, if the address can get one.', schemaRef('MailAnswer')),
    ...failures('validation_failed', 'too_many_requests'),
  },
});

const verifyCode = operation('verifyCode', 'Sign in with a code', {
  description:
    'A code can be tried five times, and codes of one address ten times in a quarter of an hour and twenty times a day, ' +
    'after which the link of the mail still signs in; each device on which ' +
    'the user was signed in before (cookie `cms_device`) has as many for itself. The first sign-in by ' +
    'mail proves the address: a password, sessions and tokens that were there before are gone. 409 `last_admin`: a directory ' +
    'has made the account that of the last admin who can sign in, and its address is not proved.',
  security: [],
  requestBody: jsonBody(schemaRef('VerifyCode'), { email: 'ann@example.com', code: '048213' }),
  responses: {
    200: TOKENS,
    ...failures(
      'invalid_code',
      'account_disabled',
      'signup_closed',
      'last_admin',
      'validation_failed',
      'too_many_requests',
    ),
  },
});

const sendLink: OpenAPIV3_1.OperationObject = {
  ...sendCode,
  operationId: 'sendLink',
  summary: 'Ask for a link by mail',
  description: `${ASKED_FOR} The mail has a code too; either of them can be used once.`,
  requestBody: jsonBody(schemaRef('SendLink'), { email: 'ann@example.com' }),
};

const visitLink = operation('visitLink', 'Follow a link', {
  description:
    'A browser is shown a page with a button that posts the token. `HEAD`, and what is fetched beforehand, spends ' +
    'nothing either: mails are read by machines. A program whose `Accept` names `application/json`, and which is not ' +
    'called as browsers are (`Mozilla/`), signs in at once. Parameters that were added to the link are passed over.',
  security: [],
  parameters: [{ name: 'token', in: 'query', required: true, schema: { type: 'string' } }],
  responses: {
    200: TOKENS_OR_PAGE,
    204: emptyAnswer('Fetched beforehand (`Sec-Purpose: prefetch`).'),
    ...failuresOrPage(
      'invalid_query',
      'invalid_link',
      'link_over',
      'account_disabled',
      'signup_closed',
      'last_admin',
      'too_many_requests',
    ),
  },
});

const verifyLink = operation('verifyLink', 'Sign in with a link', {
  description: 'What the form of the page posts is answered with a page, and the session is kept in a cookie.',
  security: [],
  requestBody: jsonOrFormBody(schemaRef('VerifyLink'), { token: LINK_TOKEN_EXAMPLE }),
  responses: {
    200: TOKENS_OR_PAGE,
    303: emptyAnswer(
      'A browser goes on to the `redirect_to` of the mail, with a one-time `code` to exchange.',
      'Location',
    ),
    ...failuresOrPage(
      'invalid_link',
      'account_disabled',
      'signup_closed',
      'last_admin',
      'csrf_rejected',
      'validation_failed',
      'too_many_requests',
    ),
  },
});

export const CHALLENGES_API: OpenApiFragment = {
  paths: {
    '/api/auth/otp/send': { post: sendCode },
    '/api/auth/otp/verify': { post: verifyCode },
    '/api/auth/magic-link': { post: sendLink },
    '/api/auth/magic-link/verify': { get: visitLink, post: verifyLink },
  },
  schemas: challengeSchemas,
};
