import { Injectable } from '@nestjs/common';
import type { PageQuery } from '../../common/http/url-query.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import { UsersService } from '../../users/users.service.js';
import type { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { ApiTokensService } from '../tokens/api/api-tokens.service.js';
import { Audit } from '../../audit/audit.js';
import { CredentialRevocation } from '../accounts/credential-revocation.js';
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
