import {
  answer,
  answerOrPage,
  emptyAnswer,
  failures,
  jsonBody,
  jsonOrFormBody,
  LINK_TOKEN_EXAMPLE,
  objectOf,
  operations,
  PASSWORD_EXAMPLE,
  schemaRef,
} from '../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../common/openapi/openapi.registry.js';
import { NEW_PASSWORD, STORED_PASSWORD, USER_EMAIL } from '../../../users/user-schemas.js';
import { SIGN_IN_TAG } from '../../methods/sign-in-methods.js';
import { formPage, PROOF_FORM_FAILURES } from '../../pages/pages.openapi.js';
import { TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';
import { LINK_TOKEN } from '../challenges/challenge-schemas.js';

const operation = operations(SIGN_IN_TAG);

const login = operation('login', 'Sign in by password', {
  description:
    'An unknown address, an account without a password and a wrong password are answered alike, and take as long. ' +
    'From the fifth failure on each one doubles the wait for the next try, on devices on which the user was signed in ' +
    'before (cookie `cms_device`) for each of them alone.',
  security: [],
  requestBody: jsonBody(schemaRef('Login'), { email: 'ann@example.com', password: 'correct horse battery' }),
  responses: {
    200: answer('The tokens of a new session.', schemaRef('TokenAnswer')),
    ...failures('invalid_credentials', 'account_disabled', 'validation_failed', 'too_many_requests'),
  },
});

const change = operation('changePassword', 'Change my password', {
  description: 'All other sessions and all pending links of the user end; API tokens go on.',
  requestBody: jsonBody(schemaRef('PasswordChange'), {
    current_password: 'correct horse battery',
    password: 'battery staple correct',
  }),
  responses: {
    204: emptyAnswer('The password is another one.'),
    ...failures('invalid_credentials', 'unauthorized', 'invalid_token', 'validation_failed', 'too_many_requests'),
  },
});

const forgot = operation('forgotPassword', 'Ask for a new password by mail', {
  description: 'All addresses get the same answer. The mail has a link that works once, within 30 minutes.',
  security: [],
  requestBody: jsonBody(schemaRef('SendMail'), { email: 'ann@example.com' }),
  responses: {
    200: answer('A mail is on its way, if there is an account.', schemaRef('MailAnswer')),
    ...failures('validation_failed', 'too_many_requests'),
  },
});

const reset = operation('resetPassword', 'Set a new password', {
  description:
    'Ends all sessions, pending links and personal API tokens of the user, and opens no session. A password that is refused does not spend the link.',
  security: [],
  requestBody: jsonOrFormBody(schemaRef('PasswordReset'), { token: LINK_TOKEN_EXAMPLE, password: PASSWORD_EXAMPLE }),
  responses: { 200: answerOrPage('The password has been changed.', schemaRef('Message')), ...PROOF_FORM_FAILURES },
});

/** The routes of passwords. */
export const PASSWORDS_API: OpenApiFragment = {
  paths: {
    '/api/auth/login': { post: login },
    '/api/auth/password/change': { post: change },
    '/api/auth/password/forgot': { post: forgot },
    '/api/auth/password/reset': {
      get: formPage('showPasswordForm', 'The page behind the link for a new password'),
      post: reset,
    },
  },
  schemas: {
    Login: objectOf(
      { email: USER_EMAIL, password: STORED_PASSWORD, mode: TOKEN_MODE },
      { required: ['email', 'password'] },
    ),
    PasswordChange: objectOf({ current_password: STORED_PASSWORD, password: NEW_PASSWORD }),
    Message: objectOf({ message: { type: 'string' } }),
    PasswordReset: objectOf({ token: LINK_TOKEN, password: NEW_PASSWORD }),
  },
};
