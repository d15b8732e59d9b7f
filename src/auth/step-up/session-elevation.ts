import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import type { AccessTokenContent } from '../tokens/access/access-tokens.js';
import { requireSession } from '../tokens/access/session-ref.js';
import { Session } from '../tokens/access/session.entity.js';

/** How a user confirmed who they are. */
export interface Proof {
  /** @see RFC 8176 */
  readonly means: 'pwd' | 'otp';
  /** Part of the unit of work that elevates the session; throws where the proof is no longer valid. */
  readonly take: (manager: EntityManager, present: Account) => Promise<void>;
  readonly visitor: Visitor;
}

/** Raises a session to a fresh sign-in after a step-up: sets its time of sign-in and adds the means to its `amr`. */
@Injectable()
export class SessionElevation {
  constructor(
    private readonly reauthorization: Reauthorization,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /**
   * @returns what an access token of the elevated session says
   * @throws {DomainError} `invalid_token`: the session has ended
   */
  elevate(caller: Caller, { means, take, visitor }: Proof): Promise<AccessTokenContent> {
    const { userId, sessionId } = requireSession(caller);
    // Two units that share the session would each keep the other one from writing it.
    const hold = async (manager: EntityManager): Promise<void> => {
      await this.accounts.lock(manager, userId);
    };
    return this.reauthorization.run({ caller, scope: null, hold }, async (manager) => {
      const account = await this.accounts.find(manager, userId);
      if (!account) throw new Error('A user who was just confirmed is gone.');
      await take(manager, account);
      const session = await manager.findOneBy(Session, { id: sessionId });
      const amr = [...new Set([...(session?.amr.split(' ') ?? []), means])];
      const authTime = this.clock.now();
      await manager.update(Session, { id: sessionId }, { authTime, amr: amr.join(' ') });
      const event = { event: 'step_up', outcome: 'success', userId, email: account.email, sessionId, visitor } as const;
      await this.audit.add(manager, { ...event, details: { amr: means } });
      return { sessionId, account, amr, authTime };
    });
  }
}
