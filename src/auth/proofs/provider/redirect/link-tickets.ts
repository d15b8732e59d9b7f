import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { Clock } from '../../../../common/clock.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { publicAddress } from '../../../../config/public-address.js';
import { Settings } from '../../../../config/settings.js';
import { Reads } from '../../../../database/statements/reads.js';
import { insertRow } from '../../../../database/statements/statement.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { USER, usersBy } from '../../../../users/rows/user-rows.js';
import { Challenge } from '../../../secrets/challenge.entity.js';
import { hashOf, isSecret, newSecret } from '../../../secrets/secrets.js';
import type { FlowStart } from '../flow/flow.js';
import { LinkingUsers, type LinkingUser } from '../linking/linking-users.js';
import { invalidState } from '../identity/provider.errors.js';

/** How long the address is good for, seconds. */
export const TICKET_SECONDS = 120;

/** Where a link that was asked for with an access token leads. */
interface Ticket extends Omit<FlowStart, 'nonce' | 'device' | 'maxAge'> {
  readonly provider: ProviderName;
}

/** The account that an identity is about to be linked to. */
export interface TicketOwner {
  readonly email: string;
}

/** One-time addresses by which a browser, that cannot send an access token, goes to a provider to link an identity. */
@Injectable()
export class LinkTickets {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly users: LinkingUsers,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * @returns the address
   * @throws {DomainError} `insufficient_user_authentication`, `invalid_token`
   */
  async issue(
    provider: ProviderName,
    { userId, session }: Pick<LinkingUser, 'userId' | 'session'>,
    goal: Pick<Ticket, 'redirectTo' | 'codeChallenge'>,
  ): Promise<string> {
    const ticket: Ticket = { ...goal, session, provider };
    const token = newSecret();
    const now = this.clock.now();
    await this.unitOfWork.run(async (manager) => {
      this.users.requireFresh(await this.users.find(manager, session));
      await insertRow(manager, Challenge, {
        purpose: 'link',
        subject: hashOf(token),
        userId,
        tokenHash: hashOf(token),
        attempts: 0,
        context: JSON.stringify(ticket),
        createdAt: now,
        expiresAt: now + TICKET_SECONDS * 1_000,
      });
    });
    return publicAddress(this.settings, `/api/auth/${provider}/redirect?link=${token}`);
  }

  /**
   * Whom the address is of, without spending it.
   *
   * @throws {DomainError} `invalid_state`: it was used, is over, is of another provider, or is none
   */
  async look(token: string, provider: ProviderName): Promise<TicketOwner> {
    const [owner] = await this.reads.select<TicketOwner & Pick<Challenge, 'context'>>(
      `SELECT ${USER.email}, c.context FROM auth_challenges c JOIN ${usersBy('c.user_id')} ` +
        "WHERE c.purpose = 'link' AND c.token_hash = ? AND c.consumed_at IS NULL AND c.expires_at > ?",
      [hashOf(token), this.clock.now()],
    );
    if (!owner || !ticketOf(owner, provider)) throw invalidState();
    return { email: owner.email };
  }

  /** @throws {DomainError} `invalid_state`: it was used, is over, is of another provider, where it stays unspent, or is none */
  async spend(token: string, provider: ProviderName): Promise<Omit<FlowStart, 'device'>> {
    if (!isSecret(token)) throw invalidState();
    const ticket = await this.unitOfWork.run(async (manager) => {
      const now = this.clock.now();
      const key = { purpose: 'link', tokenHash: hashOf(token) } as const;
      const found = ticketOf(await manager.findOneBy(Challenge, key), provider);
      if (!found) return null;
      const isOpen = { consumedAt: IsNull(), expiresAt: MoreThan(now) };
      const { affected } = await manager.update(Challenge, { ...key, ...isOpen }, { consumedAt: now });
      return affected === 0 ? null : found;
    });
    if (!ticket) throw invalidState();
    const { redirectTo, codeChallenge, session } = ticket;
    return { redirectTo, codeChallenge, session, maxAge: null, nonce: newSecret() };
  }
}

function ticketOf(row: Pick<Challenge, 'context'> | null, provider: ProviderName): Ticket | null {
  // Written by this class alone.
  const ticket = row?.context == null ? null : (JSON.parse(row.context) as Ticket);
  return ticket?.provider === provider ? ticket : null;
}
