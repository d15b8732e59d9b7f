import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { Account } from '../../../users/rows/account.js';
import { ACCESS_TOKEN_SECONDS } from '../../secrets/access-token.js';
import { AccessTokens } from '../../tokens/access/access-tokens.js';
import type { OpenedSession } from '../../tokens/access/opened-session.js';
import { RefreshTokens } from '../../tokens/refresh/refresh-tokens.js';
import type { SignedInUser, TokenAnswer } from './token-answer.js';

/** Makes the tokens of sessions. To be called after the unit of work that opened or refreshed one. */
@Injectable()
export class TokenAnswers {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly clock: Clock,
  ) {}

  async of(opened: OpenedSession): Promise<TokenAnswer & { readonly refresh_token: string }> {
    const { account, endsAt } = opened;
    return {
      token: await this.accessTokens.issue(opened),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: this.refreshTokens.issue(opened),
      refresh_expires_in: Math.ceil((endsAt - this.clock.now()) / 1_000),
      user: signedInUser(account),
    };
  }
}

export function signedInUser({ id, email, name, role, emailVerifiedAt }: Account): SignedInUser {
  return { id, email, name, role, email_verified: emailVerifiedAt !== null };
}
