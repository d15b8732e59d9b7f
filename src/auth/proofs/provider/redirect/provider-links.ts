import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../../common/access/caller.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { requireSession } from '../../../tokens/access/session-ref.js';
import type { LinkDto } from './link.dto.js';
import { FlowQuery } from '../flow/flow-query.js';
import { IdentityProviders } from '../passport/identity-providers.js';
import { LinkTickets, TICKET_SECONDS } from './link-tickets.js';

/** Where a browser goes that links an identity. */
export interface LinkAddress {
  readonly url: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Begins to link identities for pages of other origins. */
@Injectable()
export class ProviderLinks {
  constructor(
    private readonly tickets: LinkTickets,
    private readonly query: FlowQuery,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * @throws {DomainError} `invalid_query`, `provider_not_configured`, `provider_unavailable`,
   *   `insufficient_user_authentication`, `invalid_token`
   */
  async begin(provider: ProviderName, caller: Caller, body: LinkDto): Promise<LinkAddress> {
    const goal = this.query.goal(body.redirect_to ?? null, body.code_challenge ?? null);
    await this.providers.require(provider);
    const { userId, sessionId: id } = requireSession(caller);
    const session = { id, authTime: caller.authTime ?? 0 };
    return { url: await this.tickets.issue(provider, { userId, session }, goal), expires_in: TICKET_SECONDS };
  }
}
