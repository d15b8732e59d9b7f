import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { ProviderEndpoints } from '../../config/provider-settings.js';
import { isSame } from '../secrets.js';
import { CLOCK_TOLERANCE } from './identity-provider.js';
import { askProvider } from './provider-http.js';
import { invalidIdToken, providerUnavailable } from './provider.errors.js';

/** Asymmetric ones only: with `HS256` anybody who knows the public key could sign. */
const ALGORITHMS = ['RS256', 'ES256'];
const MAX_AGE_SECONDS = 600;
const MAX_LENGTH = 16_384;
/** ASCII by the standard; without spaces, which some databases do not tell apart at the end of a text. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

/** The checked claims of an id_token. */
export interface IdClaims extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
}

/** For whom an id_token has to be. */
export interface Expected {
  readonly audience: readonly string[];
  /** One of these has to be in it. */
  readonly nonces: readonly string[];
}

/** Reads the id_tokens of one provider. Its keys are remembered, and asked for again at most every 30 s. */
export class IdTokens {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;

  constructor(
    private readonly endpoints: Pick<ProviderEndpoints, 'jwksUrl' | 'issuers'>,
    private readonly clock: Clock,
  ) {
    this.keys = createRemoteJWKSet(new URL(endpoints.jwksUrl), { [customFetch]: fetchKeys });
  }

  /**
   * @throws {DomainError} `invalid_id_token`, `provider_unavailable`
   * @see OpenID Connect Core 1.0, section 3.1.3.7
   */
  async verify(idToken: string, expected: Expected): Promise<IdClaims> {
    const claims = await this.claimsOf(idToken, expected);
    requirePresenter(claims, expected.audience);
    const { sub, exp, nonce } = claims;
    if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw invalidIdToken(new Error('the subject is no identifier'));
    if (!isOneOf(expected.nonces, nonce)) throw invalidIdToken(new Error('the nonce is another one'));
    return { ...claims, sub, exp: exp ?? 0 };
  }

  private async claimsOf(idToken: string, { audience }: Expected): Promise<JWTPayload> {
    if (idToken.length > MAX_LENGTH) throw invalidIdToken(new Error('the id_token is too long'));
    try {
      const { payload } = await jwtVerify(idToken, this.keys, {
        issuer: [...this.endpoints.issuers],
        audience: [...audience],
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp', 'iat'],
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: new Date(this.clock.now()),
      });
      return payload;
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

/** With the limits that every call of a provider has. */
async function fetchKeys(url: string): Promise<Response> {
  const { status, body } = await askProvider(url);
  if (status !== 200) throw providerUnavailable(new Error(`${url} answered ${status}`));
  return Response.json(body);
}

/** That the keys are unfit is the fault of the provider; everything else is that of the token. */
function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const isAboutKeys = error instanceof errors.JWKSInvalid || error instanceof errors.JWKSTimeout;
  return isAboutKeys ? providerUnavailable(error) : invalidIdToken(error);
}

/** A token for several has to say who of them asked for it. */
function requirePresenter({ aud, azp }: JWTPayload, audience: readonly string[]): void {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if (isForSeveral && !(typeof azp === 'string' && audience.includes(azp))) {
    throw invalidIdToken(new Error('somebody else asked for the token'));
  }
}

function isOneOf(nonces: readonly string[], nonce: unknown): boolean {
  return typeof nonce === 'string' && nonces.some((one) => isSame(one, nonce));
}
