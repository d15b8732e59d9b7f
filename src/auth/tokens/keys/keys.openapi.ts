import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, objectOf, operations, schemaRef } from '../../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../../common/openapi/openapi.registry.js';

const TAG = 'Token keys';
const operation = operations(TAG);

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

const discovery = operation('getDiscovery', 'Where the keys are', {
  description: 'Most gateways configure themselves from it.',
  security: [],
  responses: { 200: answer('The issuer and its keys.', schemaRef('Discovery')) },
});

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
    JsonWebKeySet: objectOf({ keys: { type: 'array', items: objectOf(jwk) } }),
    Discovery: objectOf({ issuer: { type: 'string' }, jwks_uri: { type: 'string', format: 'uri' } }),
  },
};
