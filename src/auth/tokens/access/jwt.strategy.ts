import { PassportStrategy } from '@nestjs/passport';
import type { KeyObject } from 'node:crypto';
import { Strategy, type SecretOrKeyProvider } from 'passport-jwt';
import type { Clock } from '../../../common/clock.js';
import type { Settings } from '../../../config/settings.js';
import { ACCESS_TOKEN_ALGORITHM, ACCESS_TOKEN_SECONDS, type AccessClaims } from '../keys/signing-keys.js';

/** Clocks of processes may differ by so much, seconds. */
const CLOCK_TOLERANCE = 5;
const SESSION_ID = /^[0-9a-f]{32}$/;
const USER_ID = /^[1-9]\d{0,15}$/;

export interface TokenRequest {
  readonly token: string;
  readonly kid: string;
  readonly key: KeyObject;
}

/** The payload of a token whose signature, times, issuer and audience are right. */
type Payload = Partial<Record<'sub' | 'sid' | 'auth_time', unknown> & Record<'iat' | 'exp', number>>;

/** Checks access tokens by one of our keys: no algorithm, no address and no key that a token brings along is ever believed. */
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    private readonly clock: Clock,
    { signIn: { issuer, audience } }: Settings,
  ) {
    super({
      jwtFromRequest: ({ token }: TokenRequest) => token,
      secretOrKeyProvider: keyOf,
      passReqToCallback: true,
      algorithms: [ACCESS_TOKEN_ALGORITHM],
      issuer,
      audience,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- its types call all of it so for the sake of four options that we give directly
      jsonWebTokenOptions: { maxAge: `${ACCESS_TOKEN_SECONDS}s`, clockTolerance: CLOCK_TOLERANCE },
    });
  }

  /** One of ours names a user and a session, and lives no longer than we let it. */
  override validate({ kid }: TokenRequest, payload: Payload): AccessClaims | null {
    const { sub, sid, auth_time: authTime, iat = NaN, exp = NaN } = payload;
    const isOfItsTime = iat <= this.clock.now() / 1_000 + CLOCK_TOLERANCE && exp - iat <= ACCESS_TOKEN_SECONDS;
    if (!isOfItsTime || !isMatch(USER_ID, sub) || !isMatch(SESSION_ID, sid)) return null;
    return {
      kid,
      userId: Number(sub),
      sessionId: sid,
      authTime: typeof authTime === 'number' ? authTime * 1_000 : 0,
      expiresAt: exp * 1_000,
    };
  }

  /** The claims of a token; `null`: it is not one of ours, or it is over. By a strategy of its own, as the outcome hangs on it. */
  claimsOf(request: TokenRequest): Promise<AccessClaims | null> {
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        resolve(null);
      };
      const strategy = Object.assign(Object.create(this) as Strategy, { success: resolve, fail, error: reject });
      strategy.authenticate(request as unknown as Parameters<Strategy['authenticate']>[0]);
    });
  }
}

function isMatch(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** The types know of texts only; a key that is parsed already makes checking nearly three times as fast. */
const keyOf: SecretOrKeyProvider<TokenRequest> = ({ key }, _token, done) => {
  done(null, key as unknown as string);
};
