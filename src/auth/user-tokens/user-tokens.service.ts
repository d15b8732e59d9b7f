import { Injectable } from '@nestjs/common';
import type { PageQuery } from '../../common/http/url-query.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import { UsersService } from '../../users/users.service.js';
import type { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { ApiTokensService } from '../tokens/api/api-tokens.service.js';
import type { TokenAuthority } from '../tokens/api/token-authority.js';

/** Shows and ends the API tokens of users, for callers with power over their roles. */
@Injectable()
export class UserTokensService {
  constructor(
    private readonly users: UsersService,
    private readonly tokens: ApiTokensService,
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
    await this.tokens.revoke(tokenId, { ...over(authority), within: { ownerId: userId } });
  }
}

function over({ actor, visitor }: UserAuthority): TokenAuthority {
  return { actor, scope: 'users:write', visitor };
}
