import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, schemaRef } from '../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../common/openapi/openapi.registry.js';

const TAG = 'Token keys';

function keys(operationId: string): OpenAPIV3_1.OperationObject {
  return {
    tags: [TAG],
    operationId,
    summary: 'The public keys of access tokens',
    description: 'A gateway checks our tokens with them. May be remembered for five minutes.',
    security: [],
    responses: { 200: answer('A JSON Web Key Set.', schemaRef('JsonWebKeySet')) },
  };
}

const discovery: OpenAPIV3_1.OperationObject = {
  tags: [TAG],
  operationId: 'getDiscovery',
  summary: 'Where the keys are',
  description: 'Most gateways configure themselves from it.',
  security: [],
  responses: { 200: answer('The issuer and its keys.', schemaRef('Discovery')) },
};

const jwk = {
  kty: { type: 'string', const: 'EC' },
  crv: { type: 'string', const: 'P-256' },
  x: { type: 'string' },
  y: { type: 'string' },
  kid: { type: 'string', description: 'Thumbprint of the key (RFC 7638).' },
  alg: { type: 'string', const: 'ES256' },
  use: { type: 'string', const: 'sig' },
} as const satisfies Record<string, OpenAPIV3_1.SchemaObject>;

export const KEYS_API: OpenApiFragment = {
  tags: [{ name: TAG, description: 'The keys to check access tokens elsewhere.' }],
  paths: {
    '/.well-known/jwks.json': { get: keys('getJwks') },
    '/api/auth/jwks': { get: keys('getJwksOfApi') },
    '/.well-known/openid-configuration': { get: discovery },
  },
  schemas: {
    JsonWebKeySet: {
      type: 'object',
      required: ['keys'],
      additionalProperties: false,
      properties: {
        keys: {
          type: 'array',
          items: { type: 'object', required: Object.keys(jwk), additionalProperties: false, properties: jwk },
        },
      },
    },
    Discovery: {
      type: 'object',
      required: ['issuer', 'jwks_uri'],
      additionalProperties: false,
      properties: { issuer: { type: 'string' }, jwks_uri: { type: 'string', format: 'uri' } },
    },
  },
};
