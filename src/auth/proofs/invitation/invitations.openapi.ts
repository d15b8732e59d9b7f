import {
  answer,
  answerOrPage,
  failures,
  FRESH_SIGN_IN_FAILURES,
  jsonBody,
  jsonOrFormBody,
  objectOf,
  operations,
  schemaRef,
  LINK_TOKEN_EXAMPLE,
  PASSWORD_EXAMPLE,
} from '../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../common/openapi/openapi.registry.js';
import { ROLES } from '../../../users/roles/roles.js';
import { NEW_PASSWORD, USER_EMAIL, USER_NAME } from '../../../users/user-schemas.js';
import { SIGN_IN_TAG } from '../../methods/sign-in-methods.js';
import { formPage, PROOF_FORM_FAILURES } from '../../pages/pages.openapi.js';
import { TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';
import { LINK_TOKEN } from '../challenges/challenge-schemas.js';

const operation = operations(SIGN_IN_TAG);

const invite = operation('inviteUser', 'Invite a user', {
  description:
    'Adds a user without a password and mails them a link that works once, within seven days. A user who has not come yet can be ' +
    'invited again: the link before is over then, and a password, sessions, identities and tokens that the account has ' +
    'are taken away; the last admin who can sign in keeps them. The role has no more scopes than the caller.',
  requestBody: jsonBody(schemaRef('Invite'), { email: 'ann@example.com', name: 'Ann Example', role: 'editor' }),
  responses: {
    201: answer('Invited.', schemaRef('Invitation'), 'Location'),
    ...failures(
      ...FRESH_SIGN_IN_FAILURES,
      'insufficient_scope',
      'account_disabled',
      'email_taken',
      'last_admin',
      'managed_elsewhere',
      'validation_failed',
      'too_many_requests',
    ),
  },
});

const accept = operation('acceptInvitation', 'Accept an invitation', {
  description: 'Proves the address and signs in. Without a password the user signs in by mail.',
  security: [],
  requestBody: jsonOrFormBody(schemaRef('InvitationAcceptance'), {
    token: LINK_TOKEN_EXAMPLE,
    password: PASSWORD_EXAMPLE,
  }),
  responses: {
    200: answerOrPage('The tokens of a new session; for browsers a page.', schemaRef('TokenAnswer')),
    ...PROOF_FORM_FAILURES,
  },
});

export const INVITATIONS_API: OpenApiFragment = {
  paths: {
    '/api/auth/invitations': { post: invite },
    '/api/auth/invitations/accept': {
      get: formPage('showInvitation', 'The page behind the link of an invitation'),
      post: accept,
    },
  },
  schemas: {
    Invite: objectOf({ email: USER_EMAIL, name: USER_NAME, role: { type: 'string', enum: [...ROLES] } }),
    Invitation: objectOf({
      user: schemaRef('User'),
      expires_in: { type: 'integer', description: 'How long the link works, seconds.', examples: [604_800] },
    }),
    InvitationAcceptance: objectOf(
      { token: LINK_TOKEN, name: USER_NAME, password: NEW_PASSWORD, mode: TOKEN_MODE },
      { required: ['token'] },
    ),
  },
};
