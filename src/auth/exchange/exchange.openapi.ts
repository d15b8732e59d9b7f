import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, failures, jsonBody, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { SIGN_IN_TAG } from '../methods/sign-in-tag.js';
import { CODE_VERIFIER } from './pkce.js';
import { TOKEN_MODE } from '../sessions/answers/token-mode.dto.js';

const exchange: OpenAPIV3_1.OperationObject = {
  tags: [SIGN_IN_TAG],
  operationId: 'exchangeCode',
  summary: 'Exchange a one-time code for tokens',
  description: 'The code works once, within 60 seconds. A second use ends the session of the first.',
  security: [],
  requestBody: jsonBody(schemaRef('CodeExchange'), { code: 'the-code-of-the-address' }),
  responses: {
    200: answer('The tokens of a new session.', schemaRef('TokenAnswer')),
    ...failures('invalid_code_exchange', 'invalid_query', 'account_disabled', 'validation_failed'),
  },
};

export const EXCHANGE_API: OpenApiFragment = {
  paths: { '/api/auth/exchange': { post: exchange } },
  schemas: {
    CodeExchange: {
      type: 'object',
      required: ['code'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', description: 'From the address.' },
        code_verifier: {
          type: 'string',
          pattern: CODE_VERIFIER.source,
          description: 'Needed if there was a `code_challenge`.',
        },
        mode: TOKEN_MODE,
      },
    },
  },
};
