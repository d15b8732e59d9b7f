import { Inject, Injectable } from '@nestjs/common';
import type { JWTPayload, CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { LRUCache } from 'lru-cache';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { fetchText } from '../../common/http/fetch-text.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import { LOG } from '../../common/logging/logging.module.js';
import type { TrustedIssuer } from '../../config/issuer-settings.js';
import { Settings } from '../../config/settings.js';
import { soundKeys, type WeakKeys } from '../secrets/sound-keys.js';
import { personOf, type ForeignPerson } from './foreign-claims.js';
import { GatewayIdentity } from './gateway-identity.js';
import { IssuerUsers } from './issuer-users.js';

const LIMITS = { milliseconds: 3_000, bytes: 262_144 };
/** A key set in use is fetched again after this time, beside the requests that use it. */
const RENEW_MS = 300_000;
/** An older one is used only if the issuer is out of reach. */
const FRESH_MS = 600_000;
/** The least time between two requests to an issuer: tokens that name unknown keys cause no more. */
const PAUSE_MS = 30_000;
/** Keys stay in use for this time while the issuer is out of reach. */
const LAST_GOOD_MS = 86_400_000;

/** The public keys of an issuer as they were at one time. */
interface KeySet {
  readonly text: string;
  readonly keyFor: (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>;
}

interface KeyReport {
  failed(error: unknown): void;
  /** These are left out. */
  weak(keys: WeakKeys): void;
}

/** Caches the keys of one issuer. A withdrawn key is accepted for up to ten minutes, and up to a day while the issuer is out of reach. */
export class IssuerKeys {
  private kept: { readonly set: KeySet; readonly since: number } | null = null;
  private askedAt = -Infinity;
  private asking: Promise<void> | null = null;
  private isOutOfReach = false;

  /** @param now milliseconds of a clock that only goes forwards */
  constructor(
    private readonly keys: TrustedIssuer['keys'],
    private readonly report: KeyReport,
    private readonly read = readKeys,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * A request waits for the issuer only if the keys are older than ten minutes and the issuer has answered last time.
   *
   * @throws {DomainError} `provider_unavailable`: there are none, and have been none for a day
   */
  async current(): Promise<KeySet> {
    if (this.age() >= RENEW_MS) {
      // Never rejects: a failure is reported.
      const renewing = this.renew();
      if (this.age() >= (this.isOutOfReach ? LAST_GOOD_MS : FRESH_MS)) await renewing;
    }
    if (this.kept !== null && this.age() < LAST_GOOD_MS) return this.kept.set;
    throw new DomainError('provider_unavailable', 'The keys of the issuer of this token cannot be read. Try again.');
  }

  /** The set, fetched again unless that happened a moment ago: for a token whose key is not in it. */
  async renewed(): Promise<KeySet> {
    await this.renew();
    return this.current();
  }

  private age(): number {
    return this.kept === null ? Infinity : this.now() - this.kept.since;
  }

  /** One request at a time, and none within {@link PAUSE_MS} of the last one. */
  private async renew(): Promise<void> {
    if (this.asking === null && this.now() - this.askedAt < PAUSE_MS) return;
    if (this.asking === null) this.askedAt = this.now();
    this.asking ??= this.ask().finally(() => {
      this.asking = null;
    });
    await this.asking;
  }

  private async ask(): Promise<void> {
    try {
      const text = await this.read(this.keys);
      // The same set stays the same object, so that what it has verified stays so.
      const set = this.kept?.set.text === text ? this.kept.set : await keySet(text, this.report);
      this.kept = { set, since: this.now() };
      this.isOutOfReach = false;
    } catch (error) {
      this.isOutOfReach = true;
      this.report.failed(error);
    }
  }
}

async function keySet(text: string, report: KeyReport): Promise<KeySet> {
  const { createLocalJWKSet } = await import('jose');
  const { set, refused } = soundKeys(JSON.parse(text));
  // Checked by the library: anything but a list of keys throws.
  const keyFor = createLocalJWKSet(set as Parameters<typeof createLocalJWKSet>[0]);
  if (refused.length > 0) report.weak(refused);
  return { text, keyFor };
}

async function readKeys(keys: TrustedIssuer['keys']): Promise<string> {
  if ('file' in keys) return readFile(keys.file, 'utf8');
  const { status, text } = await fetchText(keys.url, { headers: { accept: 'application/json' } }, LIMITS);
  if (status !== 200) throw new Error(`the keys were answered with ${status}`);
  return text;
}

/** Tokens whose signature is not checked again. */
const MAX_TOKENS = 10_000;
/** Clocks may differ by so much, seconds. */
const TOLERANCE = 30;
/** Headers by which a token would choose how it is checked. */
const REFUSED_HEADERS = ['crit', 'jku', 'jwk', 'x5u'] as const;
/** Types of tokens that give access; those for other purposes have types of their own. @see RFC 9068, RFC 8725 section 3.11 */
const TYPES = new Set(['at+jwt', 'jwt']);

interface ForeignToken {
  readonly person: ForeignPerson;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
  readonly set: KeySet;
  readonly issuer: KnownIssuer;
}

interface KnownIssuer {
  readonly rules: TrustedIssuer;
  readonly keys: IssuerKeys;
}

/**
 * Finds the callers behind access tokens of trusted issuers. No algorithm, address or key that a token brings along is
 * believed. A signature is checked once, as long as the keys of the issuer stay the same.
 */
@Injectable()
export class ForeignTokens {
  private readonly issuers: ReadonlyMap<string, KnownIssuer>;
  private readonly verified = new LRUCache<string, ForeignToken>({ max: MAX_TOKENS });

  constructor(
    { outsiders }: Settings,
    private readonly clock: Clock,
    private readonly users: IssuerUsers,
    private readonly gateway: GatewayIdentity,
    @Inject(LOG) log: Logger,
  ) {
    this.issuers = new Map(
      outsiders.issuers.map((rules) => {
        const keys = new IssuerKeys(rules.keys, {
          failed: (err) => {
            log.warn({ err, issuer: rules.name }, 'the keys of an issuer cannot be read');
          },
          weak: (kids) => {
            const message = 'RSA keys of an issuer are too weak, and no token is checked by them';
            log.warn({ issuer: rules.name, kids }, message);
          },
        });
        return [rules.issuer, { rules, keys }];
      }),
    );
  }

  /** The user whom the gateway names in headers. See {@link GatewayIdentity.callerOf}. */
  namedBy(request: ServiceRequest): Promise<Caller | null> {
    return this.gateway.callerOf(request);
  }

  /**
   * The user with that token; `null`: it is of no trusted issuer, or not valid any more.
   *
   * @throws {DomainError} `role_not_granted`, `account_disabled`, `signup_closed`, `provider_unavailable`
   */
  async callerOf(token: string, hash: string, visitor: Visitor | null): Promise<Caller | null> {
    if (this.issuers.size === 0) return null;
    const known = this.verified.get(hash);
    const isCurrent = known?.set === (await known?.issuer.keys.current());
    const found = (isCurrent ? known : null) ?? (await this.read(token, hash));
    if (!found || found.expiresAt <= this.clock.now()) return null;
    return this.users.callerOf(found.person, found.issuer.rules, visitor);
  }

  private async read(token: string, hash: string): Promise<ForeignToken | null> {
    const issuer = await this.issuerOf(token);
    const found = issuer ? await this.check(token, issuer, await issuer.keys.current()) : null;
    if (found) this.verified.set(hash, found);
    else this.verified.delete(hash);
    return found;
  }

  private async issuerOf(token: string): Promise<KnownIssuer | undefined> {
    const { decodeJwt, decodeProtectedHeader } = await import('jose');
    try {
      const header = decodeProtectedHeader(token);
      if (REFUSED_HEADERS.some((name) => name in header) || !isAccess(header.typ)) return undefined;
      return this.issuers.get(decodeJwt(token).iss ?? '');
    } catch {
      return undefined;
    }
  }

  private async check(token: string, issuer: KnownIssuer, set: KeySet): Promise<ForeignToken | null> {
    const { issuer: name, audience, algorithms, maxAgeSeconds, clients } = issuer.rules;
    const { errors, jwtVerify } = await import('jose');
    let claims: JWTPayload;
    try {
      const rules = { issuer: name, audience, algorithms: [...algorithms], requiredClaims: ['exp', 'iat'] };
      const times = { maxTokenAge: maxAgeSeconds, clockTolerance: TOLERANCE, currentDate: new Date(this.clock.now()) };
      claims = (await jwtVerify(token, set.keyFor, { ...rules, ...times })).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) return null;
      const renewed = await issuer.keys.renewed();
      return renewed === set ? null : this.check(token, issuer, renewed);
    }
    const person = isOfClient(claims, clients) ? personOf(claims, issuer.rules) : null;
    if (!person) return null;
    // Both are required claims.
    const { exp = 0, iat = 0 } = claims;
    const endsAt = Math.min(exp, iat + maxAgeSeconds) + TOLERANCE;
    return { person, expiresAt: endsAt * 1_000, set, issuer };
  }
}

/** @see RFC 7515, section 4.1.9 */
function isAccess(typ: unknown): boolean {
  if (typ === undefined) return true;
  return typeof typ === 'string' && TYPES.has(typ.toLowerCase().replace(/^application\//, ''));
}

/** Issuers name the client that a token was made for as `azp` or `client_id`. */
function isOfClient({ azp, client_id: clientId }: JWTPayload, clients: readonly string[] | null): boolean {
  const client = azp ?? clientId;
  return clients === null || (typeof client === 'string' && clients.includes(client));
}
