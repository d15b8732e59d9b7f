import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Clock } from '../../../../common/clock.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { SIGNATURES } from '../../../../config/issuer-settings.js';
import type { ProviderEndpoints } from '../../../../config/provider-settings.js';
import { isSame } from '../../../secrets/secrets.js';
import { soundKeys, type WeakKeys } from '../../../secrets/sound-keys.js';
import {
  CLOCK_TOLERANCE,
  type ProviderLogout,
  invalidIdToken,
  invalidLogoutToken,
  providerUnavailable,
} from './identity-provider.js';
import { askProvider } from './provider-http.js';

const MAX_AGE_SECONDS = 600;
/** Some hundred groups take tens of kilobytes. What apps send is bound by the limit of bodies. */
const MAX_LENGTH = 1_048_576;
/** The standard recommends the first; `typ` may be left out, and many providers sign all they sign as `JWT`. */
const LOGOUT_TYPES = new Set(['logout+jwt', 'jwt']);
/** The types of tokens for another purpose end so; id_tokens have no such type. @see RFC 8725, section 3.11 */
const EXPLICIT_SUFFIX = '+jwt';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** ASCII by the standard; without spaces, which some databases do not tell apart at the end of a text. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

export interface IdClaims extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
  readonly iat: number;
}

export interface Expected {
  readonly audience: readonly string[];
  /** One of these has to be in it. */
  readonly nonces: readonly string[];
}

type Refusal = (cause: unknown) => DomainError;

/** Reads the id_tokens of one provider. Its keys are cached, and asked for again at most every 30 s. */
export class IdTokens {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;

  /** @param weak is called with the keys of the provider that are left out */
  constructor(
    private readonly endpoints: Pick<ProviderEndpoints, 'jwksUrl' | 'issuers'>,
    private readonly clock: Clock,
    weak: (keys: WeakKeys) => void,
  ) {
    const fetchSound = (url: string): Promise<Response> => fetchKeys(url, weak);
    this.keys = createRemoteJWKSet(new URL(endpoints.jwksUrl), { [customFetch]: fetchSound });
  }

  /**
   * @throws {DomainError} `invalid_id_token`, `provider_unavailable`
   * @see OpenID Connect Core 1.0, section 3.1.3.7
   */
  async verify(idToken: string, expected: Expected): Promise<IdClaims> {
    const claims = await this.claimsOf(idToken, expected);
    requirePresenter(claims, expected.audience);
    const { sub, exp = 0, iat = 0, nonce } = claims;
    if (typeof sub !== 'string' || !isSubject(sub)) throw invalidIdToken(new Error('the subject is no identifier'));
    if (!isOneOf(expected.nonces, nonce)) throw invalidIdToken(new Error('the nonce is another one'));
    // Both are required.
    return { ...claims, sub, exp, iat };
  }

  /**
   * @throws {DomainError} `invalid_logout_token`, `provider_unavailable`
   * @see OpenID Connect Back-Channel Logout 1.0, section 2.6
   */
  async verifyLogout(logoutToken: string, audience: readonly string[]): Promise<Omit<ProviderLogout, 'provider'>> {
    const required = ['iat', 'jti', 'events'];
    const { payload: claims, protectedHeader } = await this.signed(logoutToken, audience, required, invalidLogoutToken);
    const { sub = null, sid = null, jti = '', iat = 0 } = claims;
    const isFit = isLogout(claims, protectedHeader.typ) && isText(jti) && isNaming(sub, sid);
    if (!isFit) throw invalidLogoutToken(new Error('its claims are not those of a logout'));
    // Only texts are left.
    return {
      subject: sub,
      sessionId: sid as string | null,
      proof: jti,
      issuedAt: iat * 1_000,
      expiresAt: (iat + MAX_AGE_SECONDS) * 1_000,
    };
  }

  private async claimsOf(idToken: string, { audience }: Expected): Promise<JWTPayload> {
    if (idToken.length > MAX_LENGTH) throw invalidIdToken(new Error('the id_token is too long'));
    const required = ['sub', 'exp', 'iat'];
    const { payload, protectedHeader } = await this.signed(idToken, audience, required, invalidIdToken);
    const isExplicit = mediaType(protectedHeader.typ)?.endsWith(EXPLICIT_SUFFIX) ?? false;
    if (isExplicit || hasLogoutEvent(payload)) {
      throw invalidIdToken(new Error('the token is for another purpose'));
    }
    return payload;
  }

  private async signed(token: string, audience: readonly string[], requiredClaims: string[], refusal: Refusal) {
    try {
      return await jwtVerify(token, this.keys, {
        requiredClaims,
        issuer: [...this.endpoints.issuers],
        audience: [...audience],
        algorithms: [...SIGNATURES],
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: new Date(this.clock.now()),
      });
    } catch (error) {
      throw refusalOf(error, refusal);
    }
  }
}

async function fetchKeys(url: string, weak: (keys: WeakKeys) => void): Promise<Response> {
  const { status, body } = await askProvider(url);
  if (status !== 200) throw providerUnavailable(new Error(`${url} answered ${status}`));
  const { set, refused } = soundKeys(body);
  if (refused.length > 0) weak(refused);
  return Response.json(set);
}

/** The refusal of a token; unfit keys are the fault of the provider. */
function refusalOf(error: unknown, refusal: Refusal): DomainError {
  if (error instanceof DomainError) return error;
  const isAboutKeys = error instanceof errors.JWKSInvalid || error instanceof errors.JWKSTimeout;
  return isAboutKeys ? providerUnavailable(error) : refusal(error);
}

/** A token for several has to say who of them asked for it. */
function requirePresenter({ aud, azp }: JWTPayload, audience: readonly string[]): void {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if (isForSeveral && !(typeof azp === 'string' && audience.includes(azp))) {
    throw invalidIdToken(new Error('another client asked for the token'));
  }
}

function isOneOf(nonces: readonly string[], nonce: unknown): boolean {
  return typeof nonce === 'string' && nonces.some((one) => isSame(one, nonce));
}

/** A nonce stands in id_tokens only. */
function isLogout(claims: JWTPayload, typ: unknown): boolean {
  const type = mediaType(typ);
  return claims.nonce === undefined && (type === undefined || LOGOUT_TYPES.has(type)) && hasLogoutEvent(claims);
}

function hasLogoutEvent({ events }: JWTPayload): boolean {
  const event =
    typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[LOGOUT_EVENT] : null;
  return typeof event === 'object' && event !== null && !Array.isArray(event);
}

/**
 * @returns in small letters and without `application/`; `undefined`: the header names none
 * @see RFC 7515, section 4.1.9
 */
function mediaType(typ: unknown): string | undefined {
  if (typ === undefined) return undefined;
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
}

/** A person, a session or both. */
function isNaming(sub: unknown, sid: unknown): boolean {
  const isFit = (sub === null || isSubject(sub)) && (sid === null || isText(sid));
  return isFit && (sub !== null || sid !== null);
}

function isSubject(value: unknown): boolean {
  return typeof value === 'string' && SUBJECT.test(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
