import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../../common/clock.js';
import { Settings } from '../../../config/settings.js';
import { scopesOf } from '../../../users/roles/roles.js';
import { ACCESS_TOKEN_ALGORITHM, ACCESS_TOKEN_SECONDS, ACCESS_TOKEN_TYPE } from '../keys/key-ring.js';
import { SigningKeys } from '../keys/signing-keys.js';
import type { OpenedSession } from './session-ref.js';

/** What an access token says. */
export type AccessTokenContent = Pick<OpenedSession, 'sessionId' | 'account' | 'amr' | 'authTime'>;

/** Makes access tokens: JWTs that any service can check with our published keys. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** A token for the next 15 minutes of a session. @see RFC 9068 */
  async issue({ sessionId, account, amr, authTime }: AccessTokenContent): Promise<string> {
    const { kid, privateKey } = await this.keys.signing();
    const { issuer, audience } = this.settings.signIn;
    const issuedAt = Math.floor(this.clock.now() / 1_000);
    const claims = {
      iss: issuer,
      aud: audience,
      sub: String(account.id),
      sid: sessionId,
      jti: randomUUID(),
      iat: issuedAt,
      exp: issuedAt + ACCESS_TOKEN_SECONDS,
      ...(authTime === 0 ? {} : { auth_time: Math.floor(authTime / 1_000) }),
      amr,
      scope: scopesOf(account.role).join(' '),
    };
    // Loaded with the first sign-in: most services start without one.
    const { SignJWT } = await import('jose');
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ACCESS_TOKEN_ALGORITHM, kid, typ: ACCESS_TOKEN_TYPE })
      .sign(privateKey);
  }
}
