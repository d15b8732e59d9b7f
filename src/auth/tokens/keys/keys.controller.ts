import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../../../common/access/access.decorators.js';
import { publicAddress } from '../../../config/public-address.js';
import { Settings } from '../../../config/settings.js';
import { KEYS_MAX_AGE_SECONDS, type PublicJwk } from './key-ring.js';
import { SigningKeys } from './signing-keys.js';

/** @see OpenID Connect Discovery 1.0, section 3 */
interface Discovery {
  readonly issuer: string;
  readonly jwks_uri: string;
}

/** What a gateway needs to check our access tokens by itself. */
@Public()
@Controller()
export class KeysController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly settings: Settings,
  ) {}

  /** @see RFC 7517 */
  @Get(['.well-known/jwks.json', 'api/auth/jwks'])
  @Header('Cache-Control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`)
  async published(): Promise<{ keys: readonly PublicJwk[] }> {
    return { keys: (await this.keys.ready()).published };
  }

  @Get('.well-known/openid-configuration')
  @Header('Cache-Control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`)
  discovery(): Discovery {
    const { settings } = this;
    return { issuer: settings.signIn.issuer, jwks_uri: publicAddress(settings, '/.well-known/jwks.json') };
  }
}
