import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import { ownerIdOf, type Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import type { PageQuery } from '../../common/http/url-query.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { UsersService } from '../../users/users.service.js';
import { CredentialRevocation } from '../accounts/credential-revocation.js';
import { sessionNotFound } from '../sessions/lifecycle/sessions.service.js';
import { ApiTokensService } from '../tokens/api/api-tokens.service.js';
import type { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { requirePowerOver } from '../tokens/api/rows/token-grant.js';
import { endTokensOf, serviceTokensOf } from '../tokens/api/rows/token-rows.js';

/** Ends what opens the accounts of others, for callers who have power over their roles. */
@Injectable()
export class UserCredentialsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly reauthorization: Reauthorization,
    private readonly credentials: CredentialRevocation,
    private readonly audit: Audit,
  ) {}

  /** @returns how many there were @throws {DomainError} `user_not_found`, `insufficient_scope`, `invalid_token` */
  endSessions(userId: number, authority: UserAuthority): Promise<number> {
    return this.change(userId, authority, async (manager, user) => {
      const { sessions } = (await this.credentials.revoke(manager, user, { reason: 'ended', kinds: ['sessions'] }))
        .ended;
      await this.audit.add(manager, { ...ended(user, authority), details: { sessions } });
      return sessions;
    });
  }

  /** @throws {DomainError} `user_not_found`, `session_not_found`, `insufficient_scope`, `invalid_token` */
  endSession(userId: number, sessionId: string, authority: UserAuthority): Promise<void> {
    return this.change(userId, authority, async (manager, user) => {
      if (!(await this.credentials.sessions.revoke(manager, sessionId, userId, 'ended'))) throw sessionNotFound();
      await this.audit.add(manager, { ...ended(user, authority), sessionId });
    });
  }

  /** Ends the personal tokens. @throws {DomainError} `user_not_found`, `insufficient_scope`, `invalid_token` */
  endTokens(userId: number, authority: UserAuthority): Promise<void> {
    return this.change(userId, authority, async (manager, user, actor) => {
      const { tokens } = (await this.credentials.revoke(manager, user, { reason: 'ended', kinds: ['tokens'] })).ended;
      if (tokens === 0) return;
      const event = { ...ended(user, authority), event: 'token.revoked', actor } as const;
      await this.audit.add(manager, { ...event, details: { kind: 'personal', tokens } });
    });
  }

  /** Holds a user still for a change. @param work gets the account, and the actor as confirmed in this unit of work */
  private change<Result>(
    userId: number,
    authority: UserAuthority,
    work: (manager: EntityManager, account: Account, present: Caller) => Promise<Result>,
  ): Promise<Result> {
    const { actor } = authority;
    return this.unitOfWork.run(async (manager) => {
      const account = await this.accounts.lockOne(manager, { id: userId, beside: ownerIdOf(actor) });
      const present = await this.reauthorization.confirm(manager, actor, 'users:write');
      authority.as(present).requireOver(account);
      return work(manager, account, present);
    });
  }
}

function ended({ id: userId, email }: Account, { actor, visitor }: UserAuthority) {
  return { event: 'session.ended', outcome: 'success', userId, email, actor, visitor } as const;
}

/** Fate of the service tokens that a removed user was responsible for. */
export type ServiceTokenFate = 'keep' | 'revoke';

/** Shows and ends the API tokens of users, alone or with the account, for callers with power over their roles. */
@Injectable()
export class UserTokensService {
  constructor(
    private readonly users: UsersService,
    private readonly tokens: ApiTokensService,
    private readonly clock: Clock,
  ) {}

  /** The newest first, also service tokens. @throws {DomainError} `user_not_found`, `insufficient_scope` */
  async list(
    userId: number,
    page: PageQuery,
    authority: UserAuthority,
  ): Promise<readonly [readonly ApiToken[], number]> {
    authority.requireOver(await this.users.require(userId));
    return this.tokens.list(page, { ownerId: userId });
  }

  /**
   * Ends a token that may do no more than the caller.
   *
   * @throws {DomainError} `user_not_found`, `token_not_found`, `insufficient_scope`, `invalid_token`
   */
  async end(userId: number, tokenId: number, authority: UserAuthority): Promise<void> {
    authority.requireOver(await this.users.require(userId));
    const { actor, visitor } = authority;
    await this.tokens.revoke(tokenId, { actor, scope: 'users:write', visitor, within: { ownerId: userId } });
  }

  /**
   * Removes a user.
   *
   * @returns how many API tokens of services the user was responsible for
   * @throws {DomainError} `user_not_found`, `last_admin`, `invalid_token`; `insufficient_scope`: also for a token that ends
   */
  removeUser(id: number, authority: UserAuthority, fate: ServiceTokenFate): Promise<number> {
    return this.users.remove(id, authority, async (manager, _, { actor }) => {
      const now = this.clock.now();
      const tokens = await serviceTokensOf(manager, id, now);
      if (fate === 'revoke') {
        requirePowerOver(actor, [...new Set(tokens.flatMap(({ scopes }) => scopes.split(' ')))]);
        await endTokensOf(manager, id, now, 'service');
      }
      return tokens.length;
    });
  }
}
