import { answer, failures, jsonBody, objectOf, operations, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { STORED_PASSWORD } from '../../users/user-schemas.js';
import { SIGN_IN_TAG } from '../methods/sign-in-methods.js';
import { MAILED_CODE } from '../proofs/challenges/challenge-schemas.js';

const operation = operations(SIGN_IN_TAG);

const stepUp = operation('stepUp', 'Confirm who I am', {
  description:
    'For what is refused with `insufficient_user_authentication`: makes the sign-in of the session a fresh one, by the ' +
    'password or by a code that `otp/send` mailed to the own address. Failures count as those of a sign-in. The session ' +
    'and its refresh token stay; go on with the access token of the answer.',
  requestBody: jsonBody(schemaRef('StepUp'), { password: 'correct horse battery' }),
  responses: {
    200: answer('An access token whose `auth_time` is now.', schemaRef('StepUpAnswer')),
    ...failures(
      'invalid_query',
      'unauthorized',
      'invalid_token',
      'invalid_credentials',
      'invalid_code',
      'validation_failed',
      'too_many_requests',
    ),
  },
});

export const STEP_UP_API: OpenApiFragment = {
  paths: { '/api/auth/step-up': { post: stepUp } },
  schemas: {
    StepUp: {
      type: 'object',
      description: 'Either of the two.',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: { password: STORED_PASSWORD, code: MAILED_CODE },
    },
    StepUpAnswer: objectOf({
      token: { type: 'string', description: 'Access token, in place of the one before.' },
      token_type: { type: 'string', const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Life of the access token, seconds.', examples: [900] },
    }),
  },
};
