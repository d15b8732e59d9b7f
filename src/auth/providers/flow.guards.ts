import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { queryOf } from '../../common/http/url-query.js';
import { FlowCookies } from './flow-cookies.js';
import { FlowQuery, returned, type Returned } from './flow-query.js';
import type { FlowRequest } from './flow.js';
import type { IdentityProvider, ProviderIdentity } from './identity-provider.js';
import { IdentityProviders } from './identity-providers.js';
import { LinkWishes } from './link-wishes.js';
import { appleName } from './provider-claims.js';
import { providerOf } from './provider-route.js';
import { accessDenied, asError, invalidState, providerUnavailable } from './provider.errors.js';

/** What providers call it when somebody does not want to sign in after all. */
const CANCELLED = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'login_required']);

/** Sends the browser to the provider: Passport ends the answer, and no handler is reached. */
@Injectable()
export class RedirectGuard implements CanActivate {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly query: FlowQuery,
    private readonly links: LinkWishes,
  ) {}

  /** @throws {DomainError} `invalid_query`, `invalid_token`, `provider_not_configured`, `provider_unavailable` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    const start = this.query.start(queryOf(request));
    request.flowStart = { ...start, session: await this.links.sessionOf(request.headers) };
    const provider = await this.providers.require(providerOf(request));
    tellPassport(request, {});
    return provider.guard.canActivate(context) as Promise<boolean>;
  }
}

/** Takes a browser back that comes from the provider. What came of it is for the handler, failures included. */
@Injectable()
export class CallbackGuard implements CanActivate {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly cookies: FlowCookies,
  ) {}

  /** @throws {DomainError} `invalid_query`, `provider_not_configured` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    const answer = returned(queryOf(request));
    const provider = await this.providers.require(providerOf(request));
    const result = await this.identify(context, provider, answer).catch(asError);
    request.outcome = {
      result,
      redirectTo: request.flow?.redirectTo ?? null,
      codeChallenge: request.flow?.codeChallenge ?? null,
      session: request.flow?.session ?? null,
    };
    return true;
  }

  private async identify(
    context: ExecutionContext,
    provider: IdentityProvider,
    answer: Returned,
  ): Promise<ProviderIdentity> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    if (answer.error !== null) throw await this.refusal(request, provider, answer);
    requireIssuer(provider, answer);
    tellPassport(request, answer);
    await provider.guard.canActivate(context);
    const { user } = request;
    if (!user) throw invalidState();
    return provider.name === 'apple' ? { ...user, name: user.name ?? appleName(answer.user) } : user;
  }

  /** The provider sent the browser back without a code. Where to, only a flow of this very browser says. */
  private async refusal(request: FlowRequest, { name }: IdentityProvider, { error, state }: Returned): Promise<Error> {
    request.flow = await this.cookies.end(request, name, state ?? '').catch(() => undefined);
    if (CANCELLED.has(error ?? '')) return accessDenied();
    // Anybody can type such an address, and would have us complain of a provider that has said nothing.
    if (!request.flow) return invalidState();
    return providerUnavailable(new Error(`the provider sent the error ${JSON.stringify(error)}`));
  }
}

/** Otherwise a code of one provider could be redeemed at another one. @see RFC 9207 */
function requireIssuer({ issuers, tellsIssuer }: IdentityProvider, { issuer }: Returned): void {
  const isRight = issuer === null ? !tellsIssuer : issuers.includes(issuer);
  if (!isRight) throw invalidState(new Error(`another provider answered: ${JSON.stringify(issuer)}`));
}

/** Passport reads a query that is parsed already. This one has nothing in it that was not looked at before. */
function tellPassport(request: FlowRequest, { code, state }: Partial<Returned>): void {
  Object.defineProperty(request, 'query', { value: { code, state }, configurable: true });
}
