import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { UsersService } from '../../users/users.service.js';
import { sessionClient, type KnownClient } from '../limits/known-clients.js';
import { codeCounter, CodeCheck } from '../proofs/otp/otp.service.js';
import { invalidCredentials, PasswordCheck } from '../proofs/password/login.service.js';
import type { AccessTokenContent } from '../tokens/access/verified-access.js';
import { requirePresent, requireSession } from '../tokens/access/session-ref.js';
import { Session } from '../tokens/access/session.entity.js';

/** Proof by which a user confirmed who they are. */
interface Proof {
  /** @see RFC 8176 */
  readonly means: 'pwd' | 'otp';
  /** Part of the unit of work that elevates the session; throws if the proof is no longer valid. */
  readonly take: (manager: EntityManager, present: Account) => Promise<void>;
  readonly visitor: Visitor;
}

/** Raises a session to a fresh sign-in: sets its time of sign-in and adds the means to its `amr`. */
@Injectable()
export class SessionElevation {
  constructor(
    private readonly reauthorization: Reauthorization,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** @returns the content of its access tokens from now on @throws {DomainError} `invalid_token`: the session has ended */
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

/** Secret by which a user confirms who they are. */
export type Shown = { readonly password: string } | { readonly code: string };

/** Makes the sign-in of a session that lives a fresh one. Failures count by session. @see RFC 9470 */
@Injectable()
export class StepUpService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordCheck,
    private readonly codes: CodeCheck,
    private readonly elevation: SessionElevation,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_token`, `invalid_credentials`, `invalid_code`, `too_many_requests`, `overloaded` */
  async raise(caller: Caller, shown: Shown, visitor: Visitor): Promise<AccessTokenContent> {
    const { userId, sessionId } = requireSession(caller);
    const account = requirePresent(await this.users.find(userId));
    const event = { event: 'step_up', userId, email: account.email, sessionId, visitor } as const;
    // A user is signed in there: what others try at the address counts elsewhere.
    const client = sessionClient(sessionId, account);
    return this.audit.noteRefusal(event, async () => {
      const proof = await ('password' in shown
        ? this.byPassword(account, shown.password, { visitor, client })
        : this.byCode(account, shown.code, client));
      return this.elevation.elevate(caller, { ...proof, visitor });
    });
  }

  private async byPassword(
    { id, emailKey }: Account,
    password: string,
    shown: { readonly visitor: Visitor; readonly client: KnownClient },
  ): Promise<Omit<Proof, 'visitor'>> {
    const checked = await this.passwords.check(emailKey, password, shown);
    if (checked?.account.id !== id) throw invalidCredentials();
    return {
      means: 'pwd',
      take: (_, present) => {
        const isSame = present.passwordHash === checked.account.passwordHash;
        return isSame ? Promise.resolve() : Promise.reject(invalidCredentials());
      },
    };
  }

  private async byCode({ emailKey }: Account, code: string, client: KnownClient): Promise<Omit<Proof, 'visitor'>> {
    const open = await this.codes.confirm(emailKey, code, client);
    return { means: 'otp', take: (manager) => this.codes.spend(manager, open, codeCounter(emailKey, client)) };
  }
}
