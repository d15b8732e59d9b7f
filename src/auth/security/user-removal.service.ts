import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { Account } from '../../users/rows/account.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import { UsersService } from '../../users/users.service.js';
import { requirePowerOver } from '../tokens/api/rows/token-rights.js';
import { endTokensOf, serviceTokensOf } from '../tokens/api/rows/token-rows.js';

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
