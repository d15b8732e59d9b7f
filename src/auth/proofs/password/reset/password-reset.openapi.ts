import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  answerOrPage,
  failures,
  jsonBody,
  jsonOrFormBody,
  schemaRef,
  LINK_TOKEN_EXAMPLE,
  PASSWORD_EXAMPLE,
} from '../../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../../common/openapi/openapi.registry.js';
import { NEW_PASSWORD } from '../../../../users/user-schemas.js';
import { formPage, PROOF_FORM_FAILURES } from '../../../pages/pages.openapi.js';
import { SIGN_IN_TAG } from '../../../methods/sign-in-tag.js';
import { LINK_TOKEN } from '../../challenges/challenge-schemas.js';

const forgot: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'forgotPassword',
  summary: 'Ask for a new password by mail',
  description: 'All addresses get the same answer. The mail has a link that works once, within 30 minutes.',
  security: [],
  requestBody: jsonBody(schemaRef('SendMail'), { email: 'ann@example.com' }),
  responses: {
    200: answer('A mail is on its way, if there is an account.', schemaRef('MailAnswer')),
    ...failures('validation_failed', 'too_many_requests'),
  },
};

const reset: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'resetPassword',
  summary: 'Set a new password',
  description:
    'Ends all sessions, pending links and personal API tokens of the user, and opens no session. A password that is refused does not spend the link.',
  security: [],
  requestBody: jsonOrFormBody(schemaRef('PasswordReset'), { token: LINK_TOKEN_EXAMPLE, password: PASSWORD_EXAMPLE }),
  responses: {
    200: answerOrPage('The password has been changed.', schemaRef('Message')),
    ...PROOF_FORM_FAILURES,
  },
};

export const PASSWORD_RESET_API: OpenApiFragment = {
  paths: {
    '/api/auth/password/forgot': { post: forgot },
    '/api/auth/password/reset': {
      get: formPage('showPasswordForm', 'The page behind the link for a new password'),
      post: reset,
    },
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
        password: NEW_PASSWORD,
      },
    },
  },
};
