import { Injectable } from '@nestjs/common';
import type { Jwt, JwtPayload } from 'jsonwebtoken';
import type { KeyObject } from 'node:crypto';
import type { SecretOrKeyProvider, Strategy } from 'passport-jwt';
import { Clock } from '../../../common/clock.js';
import { Settings } from '../../../config/settings.js';
import { SigningKeys } from '../keys/signing-keys.js';
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_SECONDS,
  ACCESS_TOKEN_TYPE,
  type AccessClaims,
} from '../../secrets/access-token.js';

/** Clocks of processes may differ by so much, seconds. */
const CLOCK_TOLERANCE = 5;
const SESSION_ID = /^[0-9a-f]{32}$/;
const USER_ID = /^[1-9]\d{0,15}$/;

/** All that passport-jwt reads of a request here. */
interface TokenRequest {
  readonly token: string;
  readonly key: KeyObject;
}

/** The members that Passport gives to a strategy for the time of one request. */
interface Outcome {
  success(claims: AccessClaims): void;
  fail(): void;
  error(error: Error): void;
}

/**
 * Checks access tokens with passport-jwt. The key is looked up by `kid` among ours: no algorithm, no address and no
 * key that a token brings along is ever believed.
 */
@Injectable()
export class AccessTokenStrategy {
  private strategy: Promise<Strategy> | undefined;

  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** What a token says; `null`: it is not one of ours, or it is over. */
  async claimsOf(token: string): Promise<AccessClaims | null> {
    const kid = kidOf(token);
    // Before Passport, which would take a database that fails for a token that is wrong.
    const key = kid === null ? undefined : (await this.keys.current()).accepted.get(kid);
    if (!key) return null;
    this.strategy ??= this.makeStrategy();
    return outcomeOf(await this.strategy, { token, key });
  }

  /** passport-jwt is loaded with the first access token: most services start without one. */
  private async makeStrategy(): Promise<Strategy> {
    const { Strategy } = await import('passport-jwt');
    const { issuer, audience } = this.settings.signIn;
    return new Strategy(
      {
        jwtFromRequest: (request: unknown) => (request as TokenRequest).token,
        secretOrKeyProvider: keyOf,
        algorithms: [ACCESS_TOKEN_ALGORITHM],
        issuer,
        audience,
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- its types call all of it so for the sake of four options that we give directly
        jsonWebTokenOptions: {
          complete: true,
          maxAge: `${ACCESS_TOKEN_SECONDS}s`,
          clockTolerance: CLOCK_TOLERANCE,
        },
      },
      (checked: Jwt, done: (error: unknown, claims: AccessClaims | false) => void) => {
        done(null, this.read(checked) ?? false);
      },
    );
  }

  /** One of ours names a user and a session, and lives no longer than we let it, whatever it says. */
  private read({ header, payload }: Jwt): AccessClaims | null {
    const {
      sub,
      sid,
      auth_time: authTime,
      iat = NaN,
      exp = NaN,
    } = payload as JwtPayload & { readonly sid?: unknown; readonly auth_time?: unknown };
    const isOfItsTime = iat <= this.clock.now() / 1_000 + CLOCK_TOLERANCE && exp - iat <= ACCESS_TOKEN_SECONDS;
    if (!isOfItsTime || !isMatch(USER_ID, sub) || !isMatch(SESSION_ID, sid)) return null;
    return {
      kid: String(header.kid),
      userId: Number(sub),
      sessionId: sid,
      authTime: typeof authTime === 'number' ? authTime * 1_000 : 0,
      expiresAt: exp * 1_000,
    };
  }
}

/** By a strategy of its own: the outcome hangs on it, and of two tokens at once each would get that of the other. */
function outcomeOf(shared: Strategy, request: TokenRequest): Promise<AccessClaims | null> {
  return new Promise((resolve, reject) => {
    const outcome: Outcome = {
      success: resolve,
      fail: () => {
        resolve(null);
      },
      error: reject,
    };
    const strategy = Object.assign(Object.create(shared) as Strategy, outcome);
    strategy.authenticate(request as unknown as Parameters<Strategy['authenticate']>[0]);
  });
}

function isMatch(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** The types know of texts only; a key that is parsed already makes checking nearly three times as fast. */
const keyOf: SecretOrKeyProvider = (request, _token, done) => {
  done(null, (request as unknown as TokenRequest).key as unknown as string);
};

/** The name of the key in the header of a token; `null`: the header is not one that we write. */
function kidOf(token: string): string | null {
  const header = headerOf(token.slice(0, token.indexOf('.')));
  if (header?.typ !== ACCESS_TOKEN_TYPE || 'crit' in header) return null;
  return typeof header.kid === 'string' ? header.kid : null;
}

function headerOf(encoded: string): Readonly<Record<string, unknown>> | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null ? { ...header } : null;
  } catch {
    return null;
  }
}
