import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import { Clock } from '../../common/clock.js';
import type { PageQuery } from '../../common/http/url-query.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import type { Account } from '../../users/rows/account.js';
import { UsersService } from '../../users/users.service.js';
import { CredentialRevocation } from '../accounts/credential-revocation.js';
import { ApiTokensService } from '../tokens/api/api-tokens.service.js';
import type { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { requirePowerOver } from '../tokens/api/rows/token-rights.js';
import { endTokensOf, serviceTokensOf } from '../tokens/api/rows/token-rows.js';
import { HeldUsers } from './user-sessions.service.js';

/** Shows and ends the API tokens of users, for callers with power over their roles. */
@Injectable()
export class UserTokensService {
  constructor(
    private readonly users: UsersService,
    private readonly tokens: ApiTokensService,
    private readonly held: HeldUsers,
    private readonly credentials: CredentialRevocation,
    private readonly audit: Audit,
  ) {}

  /**
   * Personal tokens, and service tokens that the user is responsible for, the newest first.
   *
   * @throws {DomainError} `user_not_found`, `insufficient_scope`
   */
  async list(
    userId: number,
    page: PageQuery,
    authority: UserAuthority,
  ): Promise<readonly [readonly ApiToken[], number]> {
    authority.requireOver(await this.users.require(userId));
    return this.tokens.list(page, { ownerId: userId });
  }

  /**
   * Ends a token. One that may do more than the caller is not theirs to end.
   *
   * @throws {DomainError} `user_not_found`, `token_not_found`, `insufficient_scope`, `invalid_token`
   */
  async end(userId: number, tokenId: number, authority: UserAuthority): Promise<void> {
    authority.requireOver(await this.users.require(userId));
    const { actor, visitor } = authority;
    await this.tokens.revoke(tokenId, { actor, scope: 'users:write', visitor, within: { ownerId: userId } });
  }

  /** Ends the personal tokens. @throws {DomainError} `user_not_found`, `insufficient_scope`, `invalid_token` */
  async endAll(userId: number, authority: UserAuthority): Promise<void> {
    await this.held.change(userId, authority, async (manager, user, actor) => {
      const { ended } = await this.credentials.revoke(manager, user, { reason: 'ended', kinds: ['tokens'] });
      if (ended.tokens === 0) return;
      const event = { event: 'token.revoked', outcome: 'success', userId, email: user.email, actor } as const;
      const details = { kind: 'personal', tokens: ended.tokens };
      await this.audit.add(manager, { ...event, visitor: authority.visitor, details });
    });
    this.credentials.settled();
  }
}

/** What becomes of the API tokens of services that a removed user was responsible for. */
export type ServiceTokenFate = 'keep' | 'revoke';

/** Removes users, and decides about the API tokens of services that they were responsible for. */
@Injectable()
export class UserRemovalService {
  constructor(
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns how many API tokens of services the user was responsible for
   * @throws {DomainError} `user_not_found`, `last_admin`, `invalid_token`; `insufficient_scope`: also where one of the
   *   tokens that end may do more than the caller
   */
  remove(id: number, authority: UserAuthority, fate: ServiceTokenFate): Promise<number> {
    return this.users.remove(id, authority, (manager, user, present) =>
      this.settle(manager, user, { authority: present, fate }),
    );
  }

  private async settle(
    manager: EntityManager,
    { id }: Account,
    { authority, fate }: { readonly authority: UserAuthority; readonly fate: ServiceTokenFate },
  ): Promise<number> {
    const now = this.clock.now();
    const tokens = await serviceTokensOf(manager, id, now);
    if (fate === 'revoke') {
      requirePowerOver(authority.actor, [...new Set(tokens.flatMap(({ scopes }) => scopes.split(' ')))]);
      await endTokensOf(manager, id, now, 'service');
    }
    return tokens.length;
  }
}
