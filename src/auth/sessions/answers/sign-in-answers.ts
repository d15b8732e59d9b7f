import { Injectable } from '@nestjs/common';
import { Answer } from '../../../common/http/answer.js';
import { DeviceCookie } from '../../limits/known-clients.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import type { TokenAnswer, SignedInUser } from './token-answer.js';
import type { TokenMode } from './token-mode.dto.js';
import { Clock } from '../../../common/clock.js';
import type { Account } from '../../../users/rows/account.js';
import { ACCESS_TOKEN_SECONDS } from '../../tokens/keys/key-ring.js';
import { AccessTokens } from '../../tokens/access/access-tokens.js';
import { RefreshTokens, RefreshCookie } from '../../tokens/refresh/refresh-tokens.js';

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

/** Answers to a finished sign-in. */
@Injectable()
export class SignInAnswers {
  constructor(
    private readonly tokens: TokenAnswers,
    private readonly cookie: RefreshCookie,
    private readonly device: DeviceCookie,
  ) {}

  /** The answer to a sign-in. From then on the device is known, whatever keeps its cookies there. */
  async of(opened: OpenedSession, mode: TokenMode = 'token'): Promise<Answer<TokenAnswer>> {
    const answer = await this.tokens.of(opened);
    const device = this.device.keep(opened.account);
    if (mode === 'token') return Answer.withCookies(answer, device);
    const { refresh_token: refreshToken, ...rest } = answer;
    return Answer.withCookies(rest, ...this.cookie.keep(refreshToken, rest.refresh_expires_in), device);
  }

  /** The next tokens of a session. */
  async refreshed(opened: OpenedSession, mode: TokenMode): Promise<TokenAnswer | Answer<TokenAnswer>> {
    const answer = await this.tokens.of(opened);
    if (mode === 'token') return answer;
    const { refresh_token: refreshToken, ...rest } = answer;
    return Answer.withCookies(rest, ...this.cookie.keep(refreshToken, rest.refresh_expires_in));
  }

  /** The `Set-Cookie` headers for a browser that is shown a page and no tokens. */
  async cookiesOf(opened: OpenedSession): Promise<readonly string[]> {
    const { refresh_token: refreshToken, refresh_expires_in: seconds } = await this.tokens.of(opened);
    return [...this.cookie.keep(refreshToken, seconds), this.device.keep(opened.account)];
  }
}
