import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { queryOf } from '../../../../common/http/url-query.js';
import { ProviderRedirect } from './provider-redirect.js';
import { requireLinkTicket } from '../flow/flow-query.js';
import type { FlowRequest } from '../flow/flow.js';
import { IdentityProviders } from '../passport/identity-providers.js';
import { LinkPages } from './link-pages.js';
import { LinkTickets } from './link-tickets.js';
import { providerOf } from '../flow/provider-route.js';

/** Sends a browser to the provider that has been asked whether to link. The handler behind it is never reached. */
@Injectable()
export class ConfirmedLinkGuard implements CanActivate {
  constructor(
    private readonly pages: LinkPages,
    private readonly tickets: LinkTickets,
    private readonly providers: IdentityProviders,
    private readonly redirect: ProviderRedirect,
  ) {}

  /** @throws {DomainError} `invalid_query`, `csrf_rejected`, `invalid_state`, `provider_not_configured`, `provider_unavailable` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    const ticket = requireLinkTicket(queryOf(request));
    const name = providerOf(request);
    this.pages.require(request.headers, ticket);
    // A provider that is out of order spends no ticket.
    await this.providers.require(name);
    return this.redirect.redirect(context, await this.tickets.spend(ticket, name));
  }
}
