import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../../../common/access/access.decorators.js';
import { answer, objectOf } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, EndpointOfPaths, named } from '../../../common/openapi/endpoint.js';
import { publicAddress } from '../../../config/public-address.js';
import { Settings } from '../../../config/settings.js';
import { KEYS_MAX_AGE_SECONDS, SigningKeys } from './signing-keys.js';

const JSON_WEB_KEY = objectOf({
  kty: { type: 'string', const: 'EC' },
  crv: { type: 'string', const: 'P-256' },
  x: { type: 'string' },
  y: { type: 'string' },
  kid: { type: 'string', description: 'Thumbprint of the key (RFC 7638).' },
  alg: { type: 'string', const: 'ES256' },
  use: { type: 'string', const: 'sig' },
});
const JSON_WEB_KEY_SET = named('JsonWebKeySet', objectOf({ keys: { type: 'array', items: JSON_WEB_KEY } }));
/** @see OpenID Connect Discovery 1.0, section 3 */
const DISCOVERY = named(
  'Discovery',
  objectOf({ issuer: { type: 'string' }, jwks_uri: { type: 'string', format: 'uri' } }),
);

/** Keys with which a gateway checks our access tokens by itself. */
@Public()
@Controller()
@EndpointGroup('Token keys')
export class KeysController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly settings: Settings,
  ) {}

  /** @see RFC 7517 */
  @Get(['.well-known/jwks.json', 'api/auth/jwks'])
  @EndpointOfPaths((path) => ({
    id: path === '/api/auth/jwks' ? 'getJwksOfApi' : 'getJwks',
    summary: 'The public keys of access tokens',
    description: 'A gateway checks our tokens with them. May be remembered for five minutes.',
    answers: { 200: answer('A JSON Web Key Set.', JSON_WEB_KEY_SET) },
  }))
  @Header('Cache-Control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`)
  async published() {
    return { keys: (await this.keys.ready()).published };
  }

  @Get('.well-known/openid-configuration')
  @Endpoint('getDiscovery', 'Where the keys are', {
    description: 'Most gateways configure themselves from it.',
    answers: { 200: answer('The issuer and its keys.', DISCOVERY) },
  })
  @Header('Cache-Control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`)
  discovery() {
    const { settings } = this;
    return { issuer: settings.signIn.issuer, jwks_uri: publicAddress(settings, '/.well-known/jwks.json') };
  }
}
