import { Injectable, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import {
  FRESH_SIGN_IN,
  PUBLIC,
  REQUIRED_SCOPES,
  type FreshSignInRule,
  perRoute,
} from '../../common/access/access.decorators.js';
import { isAllowed, type Caller, type Scope, ownerIdOf, userIdOf } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { shownDevice, visitorOf } from '../../common/access/visitor.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import { queryOf } from '../../common/http/url-query.js';
import { KeyedLimits } from '../../common/rate-limits/keyed-limits.js';
import { RequestLimits } from '../../common/rate-limits/request-limits.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { select } from '../../database/statements/statement.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import { scopesOf } from '../../users/roles/roles.js';
import { shareUser, type ActingUser } from '../../users/rows/user-rows.js';
import { providerOfIssuer } from '../accounts/identity.entity.js';
import { ForeignTokens } from '../issuers/foreign-tokens.js';
import { DeviceCookie } from '../limits/known-clients.js';
import { bearerOf, hashOf } from '../secrets/secrets.js';
import { SignInFreshness } from '../sessions/lifecycle/sign-in-freshness.js';
import { SessionTimes, VerifiedAccess } from '../tokens/access/verified-access.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';
import { VerifiedTokens, callerWith, SELECT_TOKENS, type TokenRow } from '../tokens/api/verified-tokens.js';

/** Three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Resolves the caller of a bearer token: an access token, an API token, a configured token or one of an issuer. */
@Injectable()
export class CallerResolver {
  constructor(
    private readonly configured: ConfiguredTokens,
    private readonly tokens: VerifiedTokens,
    private readonly access: VerifiedAccess,
    private readonly devices: DeviceCookie,
    private readonly foreign: ForeignTokens,
  ) {}

  /**
   * `null`: a token of no caller. One of no known shape is refused without asking the database.
   *
   * @param beforeSearch awaited before the database is asked for an API token that was not good before; may throw
   * @param request for the audit of an account that is made
   */
  async callerOf(token: string, beforeSearch?: () => Promise<void>, request?: ServiceRequest): Promise<Caller | null> {
    const hash = hashOf(token);
    // Of a text that has not the shape of our tokens it knows no caller (`undefined`).
    const caller = this.configured.callerOf(hash) ?? (await this.tokens.callerOf(token, hash, beforeSearch));
    if (caller !== undefined || !JWT.test(token)) return caller ?? null;
    return (
      (await this.access.callerOf(token, hash)) ??
      this.foreign.callerOf(token, hash, request ? visitorOf(request) : null)
    );
  }

  /** The user whom the gateway names; `null`: it names none. */
  namedBy(request: ServiceRequest): Promise<Caller | null> {
    return this.foreign.namedBy(request);
  }

  /** The devices on which a user has signed in since the last change of the password; `null`: no cookie of this service. */
  devicesOf(cookie: string): string | null {
    const device = this.devices.read(cookie);
    return device && `${device.userId}.${device.stamp}`;
  }
}

const REFUSED = 'The token is not valid, has expired or was revoked.';
const MALFORMED =
  'The header Authorization is not of the form "Bearer <token>": one space, then the token alone, without quotation marks.';

interface Rule {
  readonly isPublic: boolean;
  /** One of them is enough; none: any credential is. */
  readonly anyOf: readonly Scope[];
  /** `undefined`: however long ago a user has signed in. */
  readonly fresh: FreshSignInRule | undefined;
}

/** The one guard: lets a request pass that proves who sends it, may do what it asks for, and does not come too often. */
@Injectable()
export class BearerGuard implements CanActivate {
  private readonly ruleOf = perRoute((...places): Rule => ({
    isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) ?? false,
    anyOf: this.reflector.getAllAndOverride<readonly Scope[] | undefined>(REQUIRED_SCOPES, places) ?? [],
    fresh: this.reflector.getAllAndOverride<FreshSignInRule | undefined>(FRESH_SIGN_IN, places),
  }));

  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: CallerResolver,
    private readonly limits: RequestLimits,
    private readonly freshness: SignInFreshness,
    private readonly keyedLimits: KeyedLimits,
  ) {}

  /**
   * @throws {DomainError} `unauthorized`, `invalid_token`, `insufficient_scope`, `insufficient_user_authentication`,
   *   `too_many_requests`
   * @see RFC 6750, RFC 9470
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.ruleOf(context);
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    try {
      if (rule.isPublic) this.recognise(request);
      else await this.admit(request, rule);
    } finally {
      // Refused or not: otherwise requests that only try would not be counted.
      await this.limits.canActivate(context);
    }
    return true;
  }

  private recognise(request: ServiceRequest): void {
    // Without asking the database: limits come first.
    const shown = shownDevice(request.headers.cookie);
    const devices = shown === null ? null : this.credentials.devicesOf(shown);
    if (devices !== null) request.devices = devices;
  }

  private async admit(request: ServiceRequest, { anyOf, fresh }: Rule): Promise<void> {
    const caller = await this.requireCaller(request);
    request.caller = caller;
    const type = typeof request.params.type === 'string' ? request.params.type : undefined;
    if (anyOf.length > 0 && !anyOf.some((scope) => isAllowed(caller, scope, type)))
      throw insufficientScope(`The token lacks the scope ${anyOf.join(' or ')}.`, anyOf);
    if (fresh) this.requireFresh(request, caller, fresh);
  }

  private requireFresh(request: ServiceRequest, caller: Caller, rule: FreshSignInRule): void {
    if (rule === 'always' || (rule === 'confirmed' && queryOf(request).has('confirm'))) this.freshness.require(caller);
    if (rule === 'by body')
      request.requireFresh = () => {
        this.freshness.require(caller);
      };
  }

  private async requireCaller(request: ServiceRequest): Promise<Caller> {
    const {
      ip,
      headers: { authorization: header },
    } = request;
    if (!header) {
      const named = await this.credentials.namedBy(request);
      if (named) return named;
      throw new DomainError(
        'unauthorized',
        'A Bearer token is missing. Send it in the header "Authorization: Bearer <token>".',
      );
    }
    // A token of an unknown caller costs the database little if too many of them came from that address.
    const beforeSearch = async (): Promise<void> => {
      if (!(await this.keyedLimits.isLeft('badTokens', ip))) await this.keyedLimits.takeByAddress('tokenSearches', ip);
    };
    const token = bearerOf(header);
    const caller = token && (await this.credentials.callerOf(token, beforeSearch, request));
    if (caller) return caller;
    request.hasBadToken = true;
    const isMalformed = token === undefined || /^["'<]/.test(token);
    throw new DomainError('invalid_token', isMalformed ? MALFORMED : REFUSED);
  }
}

/** Reads sessions, users and API tokens inside units of work, in the order of locks of `docs/internals.md`: users first. */
@Injectable()
export class CallerReader implements OnModuleInit {
  constructor(
    private readonly reauthorization: Reauthorization,
    private readonly dialect: Dialect,
    private readonly times: SessionTimes,
    private readonly configured: ConfiguredTokens,
  ) {}

  onModuleInit(): void {
    this.reauthorization.use((manager, caller) => this.read(manager, caller));
  }

  /** @throws {DomainError} `invalid_token`: the credential has ended */
  private async read(manager: EntityManager, caller: Caller): Promise<Caller> {
    const ownerId = ownerIdOf(caller);
    const user = ownerId === null ? null : await shareUser(manager, this.dialect, ownerId);
    // A service token goes on without its owner.
    const isOut = userIdOf(caller) !== null && user?.disabled_at !== null;
    const present = isOut
      ? null
      : await (caller.kind === 'user' ? this.signedIn(manager, caller, user) : this.withToken(manager, caller));
    if (!present) throw new DomainError('invalid_token', 'The token has expired or was revoked.');
    return present;
  }

  private async signedIn(manager: EntityManager, caller: Caller, user: ActingUser | null | undefined) {
    if (caller.issuer !== undefined) return this.ofIssuer(manager, caller, user);
    const [session] = await select<Record<'refreshed_at' | 'expires_at', number | string>>(
      manager,
      'SELECT refreshed_at, expires_at FROM auth_sessions WHERE id = ? AND user_id = ? AND revoked_at IS NULL' +
        this.dialect.lockInShareMode,
      [caller.sessionId ?? '', caller.id],
    );
    if (!session || !user) return null;
    const end = this.times.endOf({
      refreshedAt: Number(session.refreshed_at),
      expiresAt: Number(session.expires_at),
    });
    return end > this.times.now() ? { ...caller, name: user.name, scopes: new Set(scopesOf(user.role)) } : null;
  }

  /** Without a session: the scopes are those of the token, which ends soon. */
  private async ofIssuer(manager: EntityManager, caller: Caller, user: ActingUser | null | undefined) {
    const sql = `SELECT id FROM auth_identities WHERE user_id = ? AND provider = ?${this.dialect.lockInShareMode}`;
    const linked = await select(manager, sql, [caller.id, providerOfIssuer(caller.issuer ?? '')]);
    return user && linked.length > 0 ? { ...caller, name: user.name, ownRole: user.role } : null;
  }

  private async withToken(manager: EntityManager, { id }: Caller): Promise<Caller | null> {
    const sql = `${SELECT_TOKENS} t.id = ?${this.dialect.lockInShareMode}`;
    const [row] = await select<TokenRow>(manager, sql, [id]);
    const present = row ? callerWith(row, this.configured) : null;
    return present && (present.token.expiresAt ?? Infinity) > this.times.now() ? present : null;
  }
}
