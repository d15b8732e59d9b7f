import { Injectable, type CanActivate, type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { visitorOf } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { queryOf } from '../../../../common/http/url-query.js';
import { withParameter } from '../../../exchange/redirect-targets.js';
import { type Flow, type FlowRequest, type FlowStart, providerOf } from '../flow/flow.js';
import { FlowCookies } from '../flow/flow-cookies.js';
import { FlowQuery, linkTicket, returned, type Returned, requireLinkTicket } from '../flow/flow-query.js';
import type { IdentityProvider, ProviderIdentity, PresentedSession } from '../identity/identity-provider.js';
import { appleName } from '../identity/provider-claims.js';
import { accessDenied, asError, invalidState, providerUnavailable } from '../identity/provider.errors.js';
import { LinkingUsers } from '../linking/linking-users.js';
import { IdentityProviders } from '../passport/identity-providers.js';
import { LinkPages } from './link-pages.js';
import { LinkTickets } from './link-tickets.js';

/**
 * Redirects the browser to the provider; Passport ends the response.
 *
 * @throws {DomainError} `provider_not_configured`, `provider_unavailable`
 */
async function redirect(
  providers: IdentityProviders,
  context: ExecutionContext,
  start: Omit<FlowStart, 'device'>,
): Promise<boolean> {
  const request = context.switchToHttp().getRequest<FlowRequest>();
  request.flowStart = { ...start, device: visitorOf(request).device ?? null };
  try {
    const provider = await providers.require(providerOf(request));
    setPassportQuery(request, {});
    return (await provider.guard.canActivate(context)) as boolean;
  } catch (error) {
    throw leadingBack(error, start.redirectTo);
  }
}

/** Gives Passport, which reads a parsed query, one with the checked parameters only. */
function setPassportQuery(request: FlowRequest, { code, state }: Partial<Returned>): void {
  Object.defineProperty(request, 'query', { value: { code, state }, configurable: true });
}

/** Has the page about a failure lead to where the sign-in was begun, if that is known. */
function leadingBack(error: unknown, redirectTo: string | null): unknown {
  if (redirectTo === null || !(error instanceof DomainError)) return error;
  const { host } = new URL(redirectTo);
  const label = host === '' ? 'Back to the app' : `Back to ${host}`;
  return error.withPage({ way: { href: withParameter(redirectTo, 'error', error.error), label } });
}

/** What providers call it when a user cancels the sign-in. */
const CANCELLED = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'login_required']);

/** Sends the browser to the provider. A handler is reached only where a page asks first. */
@Injectable()
export class RedirectGuard implements CanActivate {
  constructor(
    private readonly query: FlowQuery,
    private readonly links: LinkingUsers,
    private readonly pages: LinkPages,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * @throws {DomainError} `invalid_query`, `invalid_token`, `invalid_state`, `provider_not_configured`,
   *   `provider_unavailable`
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    const query = queryOf(request);
    const ticket = linkTicket(query);
    if (ticket !== null) {
      request.linkPage = await this.pages.show(providerOf(request), ticket);
      return true;
    }
    const { isLink, ...start } = this.query.start(query);
    const shown = await this.links.ofToken(request.headers);
    const session = shown ?? (isLink ? await this.links.ofCookie(request.headers) : null);
    return redirect(this.providers, context, { ...start, session });
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
    const begun = await this.cookies.peek(request, provider.name, answer.state ?? '');
    const result = await this.identify(context, provider, answer).catch(asError);
    request.outcome = { result, ...startOf(request.flow), again: again(begun) };
    return true;
  }

  private async identify(
    context: ExecutionContext,
    provider: IdentityProvider,
    answer: Returned,
  ): Promise<ProviderIdentity> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    requireIssuer(provider, answer);
    if (answer.error !== null) throw await this.refusal(request, provider, answer);
    setPassportQuery(request, answer);
    await provider.guard.canActivate(context);
    const { user } = request;
    if (!user) throw invalidState();
    return provider.name === 'apple' ? { ...user, name: user.name ?? appleName(answer.user) } : user;
  }

  /** The provider sent the browser back without a code. Where to, only a flow of this very browser says. */
  private async refusal(request: FlowRequest, { name }: IdentityProvider, { error, state }: Returned): Promise<Error> {
    request.flow = await this.cookies.end(request, name, state ?? '').catch(() => undefined);
    if (CANCELLED.has(error ?? '')) return accessDenied();
    // Such an address can be typed: the provider may have said nothing.
    if (!request.flow) return invalidState();
    return providerUnavailable(new Error(`the provider sent the error ${JSON.stringify(error)}`));
  }
}

/** With what a flow was begun; of none there is nothing. */
function startOf(flow: Flow | undefined): Omit<FlowStart, 'nonce'> {
  if (!flow) return { redirectTo: null, codeChallenge: null, maxAge: null, session: null, device: null };
  const { redirectTo, codeChallenge, maxAge, session, device } = flow;
  return { redirectTo, codeChallenge, maxAge, session, device };
}

/**
 * The address at which a sign-in is begun once more, relative to that where it ends. A flow that links an identity has
 * none: without its session it would be a sign-in, or another account.
 */
function again(flow: Flow | null): string | null {
  if (flow?.session !== null) return null;
  const { redirectTo, codeChallenge, maxAge } = flow;
  const query = new URLSearchParams({
    ...(redirectTo === null ? {} : { redirect_to: redirectTo }),
    ...(codeChallenge === null ? {} : { code_challenge: codeChallenge }),
    // A browser that was under way during an update has none.
    ...(typeof maxAge === 'number' ? { max_age: String(maxAge) } : {}),
  });
  return query.size === 0 ? 'redirect' : `redirect?${query.toString()}`;
}

/** Otherwise a code of one provider could be redeemed at another one, or its error end a flow there. @see RFC 9207 */
function requireIssuer({ issuers, sendsIssuer }: IdentityProvider, { issuer }: Returned): void {
  const isRight = issuer === null ? !sendsIssuer : issuers.includes(issuer);
  if (!isRight) throw invalidState(new Error(`another provider answered: ${JSON.stringify(issuer)}`));
}

/** Sends a browser to the provider that has been asked whether to link. The handler behind it is never reached. */
@Injectable()
export class ConfirmedLinkGuard implements CanActivate {
  constructor(
    private readonly pages: LinkPages,
    private readonly tickets: LinkTickets,
    private readonly providers: IdentityProviders,
  ) {}

  /** @throws {DomainError} `invalid_query`, `csrf_rejected`, `invalid_state`, `provider_not_configured`, `provider_unavailable` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    const ticket = requireLinkTicket(queryOf(request));
    const name = providerOf(request);
    this.pages.require(request.headers, ticket);
    // A provider that is out of order spends no ticket.
    await this.providers.require(name);
    return redirect(this.providers, context, await this.tickets.spend(ticket, name));
  }
}

/** Finds the session of an app that links an identity. */
@Injectable()
export class LinkGuard implements CanActivate {
  constructor(private readonly links: LinkingUsers) {}

  /** @throws {DomainError} `invalid_token` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    request.session = await this.links.ofToken(request.headers);
    return true;
  }
}

/** The session that an identity is to be linked to, as a handler's argument. */
export const LinkingSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): PresentedSession | null =>
    context.switchToHttp().getRequest<FlowRequest>().session ?? null,
);
