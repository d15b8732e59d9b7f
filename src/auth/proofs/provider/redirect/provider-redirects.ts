import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../../common/access/caller.js';
import { visitorOf } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { Answer } from '../../../../common/http/answer.js';
import type { Page } from '../../../../common/http/page.js';
import type { ServiceRequest } from '../../../../common/http/request-context.js';
import { queryOf } from '../../../../common/http/url-query.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { RedirectTargets, withParameter } from '../../../exchange/redirect-targets.js';
import { requireSession } from '../../../tokens/access/session-ref.js';
import { flowBeginning, flowGoal, linkTicket, requireLinkTicket, type FlowStart } from '../flow/flow.js';
import { LinkingUsers } from '../linking/linking-users.js';
import { IdentityProviders } from '../passport/identity-providers.js';
import { LinkPages, LinkTickets } from './link-tickets.js';

/** Sends browsers to identity providers, to sign in or to link an identity. */
@Injectable()
export class ProviderRedirects {
  constructor(
    private readonly targets: RedirectTargets,
    private readonly users: LinkingUsers,
    private readonly pages: LinkPages,
    private readonly tickets: LinkTickets,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * Sends a browser away; one with the address of a link is shown a page that asks first.
   *
   * @throws {DomainError} `invalid_query`, `invalid_token`, `invalid_state`, `provider_not_configured`, `provider_unavailable`
   */
  async begin(name: ProviderName, request: ServiceRequest): Promise<Page | Answer<undefined>> {
    const query = queryOf(request);
    const ticket = linkTicket(query);
    if (ticket !== null) return this.pages.show(name, ticket);
    const { isLink, ...start } = flowBeginning(query, this.targets);
    const shown = await this.users.ofToken(request.headers);
    const session = shown ?? (isLink ? await this.users.ofCookie(request.headers) : null);
    return this.redirect(name, request, { ...start, session });
  }

  /**
   * Sends a browser away that was asked whether to link.
   *
   * @throws {DomainError} `invalid_query`, `csrf_rejected`, `invalid_state`, `provider_not_configured`, `provider_unavailable`
   */
  async confirm(name: ProviderName, request: ServiceRequest): Promise<Answer<undefined>> {
    const ticket = requireLinkTicket(queryOf(request));
    this.pages.require(request.headers, ticket);
    // A provider that is out of order spends no ticket.
    await this.providers.require(name);
    return this.redirect(name, request, await this.tickets.spend(ticket, name));
  }

  /**
   * The one-time address of a link.
   *
   * @throws {DomainError} `invalid_query`, `provider_not_configured`, `provider_unavailable`,
   *   `insufficient_user_authentication`, `invalid_token`
   */
  async link(
    name: ProviderName,
    caller: Caller,
    goal: { readonly redirect_to?: string; readonly code_challenge?: string },
  ): Promise<string> {
    const checked = flowGoal(goal.redirect_to ?? null, goal.code_challenge ?? null, this.targets);
    await this.providers.require(name);
    const { userId, sessionId: id } = requireSession(caller);
    return this.tickets.issue(name, { userId, session: { id, authTime: caller.authTime ?? 0 } }, checked);
  }

  private async redirect(name: ProviderName, request: ServiceRequest, start: Omit<FlowStart, 'device'>) {
    try {
      const provider = await this.providers.require(name);
      const device = visitorOf(request).device ?? null;
      return Answer.seeOther(await provider.redirect(request, { ...start, device }), 302);
    } catch (error) {
      if (start.redirectTo === null || !(error instanceof DomainError)) throw error;
      const { host } = new URL(start.redirectTo);
      const label = host === '' ? 'Back to the app' : `Back to ${host}`;
      throw error.withPage({ way: { href: withParameter(start.redirectTo, 'error', error.error), label } });
    }
  }
}
