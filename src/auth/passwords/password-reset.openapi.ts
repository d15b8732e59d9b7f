import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, failures, failuresOrPage, HTML, jsonBody, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { SIGN_IN_TAG } from '../sessions/sessions.openapi.js';
import { LINK_TOKEN } from '../challenges/challenge-schemas.js';

const DONE = answer('The password is a new one.', schemaRef('Message'));

const forgot: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'forgotPassword',
  summary: 'Ask for a new password by mail',
  description: 'Everybody is answered alike. The mail has a link that is good once, for 30 minutes.',
  security: [],
  requestBody: jsonBody(schemaRef('SendMail'), { email: 'ann@example.com' }),
  responses: {
    200: answer('A mail is on its way, if there is an account.', schemaRef('MailAnswer')),
    ...failures('validation_failed', 'too_many_requests'),
  },
};

const page: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'showPasswordForm',
  summary: 'The page behind the link for a new password',
  description: 'Where `PASSWORD_URL` is set, links lead there.',
  security: [],
  parameters: [{ name: 'token', in: 'query', required: true, schema: { type: 'string' } }],
  responses: {
    200: { description: 'A form. Nothing is spent by looking at it.', content: { 'text/html': HTML } },
    ...failures('invalid_query'),
  },
};

const reset: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'resetPassword',
  summary: 'Set a new password',
  description:
    'Ends all sessions of the user, and signs nobody in. A password that is refused does not spend the link.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: schemaRef('PasswordReset') },
      'application/x-www-form-urlencoded': { schema: schemaRef('PasswordReset') },
    },
  },
  responses: {
    200: { ...DONE, content: { ...DONE.content, 'text/html': HTML } },
    ...failuresOrPage('invalid_link', 'account_disabled', 'csrf_rejected', 'validation_failed', 'too_many_requests'),
  },
};

export const PASSWORD_RESET_API: OpenApiFragment = {
  paths: {
    '/api/auth/password/forgot': { post: forgot },
    '/api/auth/password/reset': { get: page, post: reset },
  },
  schemas: {
    Message: {
      type: 'object',
      required: ['message'],
      additionalProperties: false,
      properties: { message: { type: 'string' } },
    },
    PasswordReset: {
      type: 'object',
      required: ['token', 'password'],
      additionalProperties: false,
      properties: {
        token: LINK_TOKEN,
        password: { type: 'string', minLength: 12, maxLength: 256 },
      },
    },
  },
};
