import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { AuthGuard, type AuthGuardAuthenticateOptions } from '@nestjs/passport';
import { randomUUID } from 'node:crypto';
import passport from 'passport';
import {
  type StateStore,
  type Metadata,
  type StateStoreStoreCallback,
  type Strategy,
  type VerifyCallback,
  InternalOAuthError,
} from 'passport-oauth2';
import type { Logger } from 'pino';
import type { Clock } from '../../../../common/clock.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { OidcSettings, ProviderEndpoints, ProviderName } from '../../../../config/provider-settings.js';
import { publicAddress } from '../../../../config/public-address.js';
import type { Settings } from '../../../../config/settings.js';
import { hashOf } from '../../../secrets/secrets.js';
import type { FlowRequest, FlowStart } from '../flow/flow.js';
import type { FlowCookies } from '../flow/flow-cookies.js';
import type { Discovered } from '../identity/discovery.js';
import { IdTokens, type IdClaims } from '../identity/id-tokens.js';
import type { IdentityProvider, ProviderIdentity, ProviderLogout } from '../identity/identity-provider.js';
import { PUBLIC_RULES, neededClaims, withUserinfo, identityOf, type ClaimRules } from '../identity/provider-claims.js';
import { providerNotConfigured, asError, invalidState, providerUnavailable } from '../identity/provider.errors.js';
import { AppleStrategy, GoogleStrategy, OidcStrategy, type StrategyFrame, type Verify } from './strategies.js';

/** What makes one provider differ from another. */
export interface ProviderParts {
  readonly name: ProviderName;
  readonly issuers: readonly string[];
  readonly sendsIssuer?: boolean;
  readonly clientId: string;
  readonly nativeClientIds: readonly string[];
  readonly idTokens: IdTokens;
  /** What its claims are taken for, where that differs from provider to provider. */
  readonly rules?: ClaimRules;
  /** @param verify to be called with what the token endpoint answered */
  readonly strategy: (verify: Verify<TokenResults>) => Strategy;
  /** The claims with what the provider says elsewhere only. */
  readonly complete?: (claims: IdClaims, accessToken: string) => Promise<IdClaims>;
}

/** The id_token, which passport-apple hands over bare. */
type TokenResults = string | { readonly id_token: string };

/** An identity provider behind a strategy of Passport. */
export class PassportProvider implements IdentityProvider {
  readonly name: ProviderName;
  readonly issuers: readonly string[];
  readonly sendsIssuer: boolean;
  readonly guard: CanActivate;

  constructor(private readonly parts: ProviderParts) {
    this.name = parts.name;
    this.issuers = parts.issuers;
    this.sendsIssuer = parts.sendsIssuer ?? false;
    this.guard = guardOf(
      // eslint-disable-next-line @typescript-eslint/max-params -- passport-oauth2 counts them
      parts.strategy((request, accessToken, _refreshToken, results, _profile, done) => {
        // Passport hands on the request that it was given.
        this.verify(request as FlowRequest, accessToken, results, done);
      }),
    );
  }

  async identify(idToken: string, nonce: string): Promise<ProviderIdentity> {
    const { clientId, nativeClientIds, idTokens } = this.parts;
    const audience = nativeClientIds.length > 0 ? nativeClientIds : [clientId];
    const claims = await idTokens.verify(idToken, { audience, nonces: [nonce, hashOf(nonce)] });
    // Its signature can be written in several ways; what is signed cannot.
    return identityOf(this.name, claims, idToken.slice(0, idToken.lastIndexOf('.')), this.parts.rules);
  }

  async logout(logoutToken: string): Promise<ProviderLogout> {
    const { name: provider, clientId, nativeClientIds, idTokens } = this.parts;
    const { sub, sid, jti, issuedAt, endsAt } = await idTokens.verifyLogout(logoutToken, [
      clientId,
      ...nativeClientIds,
    ]);
    return { provider, subject: sub, sessionId: sid, issuedAt, proof: jti, expiresAt: endsAt };
  }

  private verify(request: FlowRequest, accessToken: string, results: TokenResults, done: VerifyCallback): void {
    const idToken = typeof results === 'string' ? results : results.id_token;
    this.returned(request, accessToken, idToken).then((identity) => {
      done(null, identity);
    }, done);
  }

  private async returned({ flow }: FlowRequest, accessToken: string, idToken: string): Promise<ProviderIdentity> {
    if (!flow) throw invalidState();
    const { clientId, idTokens, complete, rules } = this.parts;
    const claims = await idTokens.verify(idToken, { audience: [clientId], nonces: [flow.nonce] });
    return identityOf(this.name, complete ? await complete(claims, accessToken) : claims, flow.nonce, rules);
  }
}

/** Passport has one register of strategies for the process, and a process may hold several of our applications. */
function guardOf(strategy: Strategy): CanActivate {
  const name = `${strategy.name}:${randomUUID()}`;
  passport.use(name, strategy);
  return new (class extends AuthGuard(name) {
    override getAuthenticateOptions(context: ExecutionContext): AuthGuardAuthenticateOptions {
      const { flowStart } = context.switchToHttp().getRequest<FlowRequest>();
      // Text by its type only: passport-oauth2 hands an object on to the store.
      return { session: false, state: flowStart as unknown as string };
    }

    override handleRequest<Identity>(error: unknown, identity: Identity | false | null): Identity {
      if (error) throw reasonOf(error);
      if (!identity) throw invalidState();
      return identity;
    }
  })();
}

/** passport-oauth2 wraps what failed at the token endpoint. */
function reasonOf(error: unknown): unknown {
  if (!(error instanceof InternalOAuthError)) return error;
  const reason: unknown = error.oauthError;
  return reason instanceof DomainError ? reason : providerUnavailable(reason);
}

type Verified = (error: unknown, verifier?: string | false, flow?: unknown) => void;

/**
 * Where passport-oauth2 keeps `state` and the PKCE verifier: in a cookie, not in a session.
 * It finds out what a store can do by the number of parameters of its methods, so each has to stay as it is.
 */
export class FlowStateStore {
  constructor(
    private readonly provider: ProviderName,
    private readonly cookies: FlowCookies,
  ) {}

  store(request: FlowRequest, verifier: string, start: FlowStart, _: Metadata, stored: StateStoreStoreCallback): void {
    this.cookies.begin(request, this.provider, start, verifier).then(
      ({ state }) => {
        stored(null, state);
      },
      (error: unknown) => {
        stored(asError(error), null);
      },
    );
  }

  verify(request: FlowRequest, state: string, _: Metadata, verified: Verified): void {
    this.cookies.end(request, this.provider, state).then((flow) => {
      request.flow = flow;
      verified(null, flow.verifier, flow);
    }, verified);
  }
}

/** Makes providers out of their settings. */
export class PassportProviders {
  constructor(
    private readonly settings: Settings,
    private readonly cookies: FlowCookies,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  google(): IdentityProvider {
    const { google } = this.settings.providers;
    if (!google) throw providerNotConfigured('google');
    const { issuers, clientId, nativeClientIds } = google;
    return new PassportProvider({
      ...{ name: 'google', issuers, clientId, nativeClientIds },
      idTokens: this.idTokens('google', google),
      strategy: (verify) => new GoogleStrategy(google, this.frame('google'), verify),
      rules: { ...PUBLIC_RULES, domains: google.domains },
    });
  }

  apple(): IdentityProvider {
    const { apple } = this.settings.providers;
    if (!apple) throw providerNotConfigured('apple');
    const { issuers, clientId, nativeClientIds } = apple;
    return new PassportProvider({
      ...{ name: 'apple', issuers, clientId, nativeClientIds },
      idTokens: this.idTokens('apple', apple),
      strategy: (verify) => new AppleStrategy(apple, this.frame('apple'), verify),
    });
  }

  oidc(oidc: OidcSettings, found: Discovered): IdentityProvider {
    const { clientId, nativeClientIds } = oidc;
    const { issuers, sendsIssuer, userinfoUrl } = found;
    return new PassportProvider({
      ...{ name: 'oidc', issuers, sendsIssuer, clientId, nativeClientIds },
      idTokens: this.idTokens('oidc', found),
      strategy: (verify) => new OidcStrategy(oidc, found, this.frame('oidc'), verify),
      rules: oidc,
      complete: (claims, accessToken) => withUserinfo(claims, neededClaims(oidc), userinfoUrl, accessToken),
    });
  }

  private idTokens(provider: ProviderName, endpoints: ProviderEndpoints): IdTokens {
    return new IdTokens(endpoints, this.clock, (kids) => {
      this.log.warn({ provider, kids }, 'RSA keys of a provider are too weak, and no id_token is checked by them');
    });
  }

  /** `PUBLIC_URL` and never the `Host` of a request, which anybody can choose. */
  private frame(name: ProviderName): StrategyFrame {
    const store: unknown = new FlowStateStore(name, this.cookies);
    const callbackURL = publicAddress(this.settings, `/api/auth/${name}/callback`);
    // The types of passport-oauth2 do not know the form of a store that takes the PKCE verifier.
    return { callbackURL, store: store as StateStore };
  }
}
