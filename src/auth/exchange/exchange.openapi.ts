import { answer, failures, jsonBody, objectOf, operations, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { SIGN_IN_TAG } from '../methods/sign-in-methods.js';
import { TOKEN_MODE } from '../sessions/answers/token-mode.dto.js';
import { CODE_VERIFIER } from './exchange-codes.js';

const operation = operations(SIGN_IN_TAG);

const exchange = operation('exchangeCode', 'Exchange a one-time code for tokens', {
  description: 'The code works once, within 60 seconds. A second use ends the session of the first.',
  security: [],
  requestBody: jsonBody(schemaRef('CodeExchange'), { code: 'the-code-of-the-address' }),
  responses: {
    200: answer('The tokens of a new session.', schemaRef('TokenAnswer')),
    ...failures('invalid_code_exchange', 'invalid_query', 'account_disabled', 'validation_failed'),
  },
});

export const EXCHANGE_API: OpenApiFragment = {
  paths: { '/api/auth/exchange': { post: exchange } },
  schemas: {
    CodeExchange: objectOf(
      {
        code: { type: 'string', description: 'From the address.' },
        code_verifier: {
          type: 'string',
          pattern: CODE_VERIFIER.source,
          description: 'Needed if there was a `code_challenge`.',
        },
        mode: TOKEN_MODE,
      },
      { required: ['code'] },
    ),
  },
};
