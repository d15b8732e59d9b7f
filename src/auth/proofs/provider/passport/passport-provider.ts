import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { AuthGuard, type AuthGuardAuthenticateOptions } from '@nestjs/passport';
import { randomUUID } from 'node:crypto';
import passport from 'passport';
import type { Strategy, VerifyCallback } from 'passport-oauth2';
import { InternalOAuthError } from 'passport-oauth2';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { hashOf } from '../../../secrets/secrets.js';
import type { FlowRequest } from '../flow/flow.js';
import type { IdentityProvider, ProviderIdentity, ProviderLogout } from '../identity/identity-provider.js';
import type { IdClaims, IdTokens } from '../identity/id-tokens.js';
import { identityOf, type ClaimRules } from '../identity/provider-claims.js';
import { invalidState, providerUnavailable } from '../identity/provider.errors.js';
import type { Verify } from './strategies.js';

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
