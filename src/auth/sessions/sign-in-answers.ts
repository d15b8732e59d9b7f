import { Injectable } from '@nestjs/common';
import { Answer } from '../../common/http/answer.js';
import type { OpenedSession } from './opened-session.js';
import { RefreshCookie } from './refresh-cookie.js';
import type { TokenAnswer } from './token-answer.js';
import type { TokenMode } from './token-mode.js';
import { TokenAnswers } from './token-answers.js';

/** Answers whoever has proved who they are. */
@Injectable()
export class SignInAnswers {
  constructor(
    private readonly tokens: TokenAnswers,
    private readonly cookie: RefreshCookie,
  ) {}

  async of(opened: OpenedSession, mode: TokenMode = 'token'): Promise<TokenAnswer | Answer<TokenAnswer>> {
    const answer = await this.tokens.of(opened);
    if (mode === 'token') return answer;
    const { refresh_token: refreshToken, ...rest } = answer;
    return Answer.withCookie(rest, this.cookie.keep(refreshToken, rest.refresh_expires_in));
  }

  /** The `Set-Cookie` header for a browser that is shown a page and no tokens. */
  async cookieOf(opened: OpenedSession): Promise<string> {
    const { refresh_token: refreshToken, refresh_expires_in: seconds } = await this.tokens.of(opened);
    return this.cookie.keep(refreshToken, seconds);
  }
}
