import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { IsIn } from '../../../common/dto-rules.js';
import { Answer } from '../../../common/http/answer.js';
import { answer, answerOrPage, objectOf } from '../../../common/openapi/describe.js';
import { named } from '../../../common/openapi/endpoint.js';
import { ROLES } from '../../../users/roles/roles.js';
import type { Account } from '../../../users/rows/account.js';
import { OptionalField } from '../../../common/openapi/body.js';
import { DeviceCookie } from '../../limits/known-clients.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { AccessTokens } from '../../tokens/access/verified-access.js';
import { ACCESS_TOKEN_SECONDS } from '../../tokens/keys/signing-keys.js';
import { RefreshTokens, RefreshCookie } from '../../tokens/refresh/refresh-tokens.js';

const TOKEN_MODES = ['token', 'cookie'] as const;

/** Place of the refresh token: in the body, or in a cookie that no script can read. */
export type TokenMode = (typeof TOKEN_MODES)[number];

/** A part of every body that signs in. */
export class TokenModeDto {
  @OptionalField(
    {
      type: 'string',
      enum: [...TOKEN_MODES],
      default: 'token',
      description: 'Whether the refresh token comes in the body or in a cookie that no script can read.',
    },
    IsIn(TOKEN_MODES, { message: `mode must be one of: ${TOKEN_MODES.join(', ')}.` }),
  )
  mode?: TokenMode;
}

export interface TokenAnswer {
  readonly token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Missing if it went into a cookie. */
  readonly refresh_token?: string;
  /** Seconds. */
  readonly refresh_expires_in: number;
  readonly user: ReturnType<typeof signedInUser>;
}

export const SIGNED_IN_USER = named(
  'SignedInUser',
  objectOf(
    {
      id: { type: 'integer' },
      email: { type: 'string', format: 'email' },
      name: { type: 'string' },
      role: {
        type: 'string',
        enum: [...ROLES],
        description:
          'The role that their requests have. With a token of a trusted issuer, or named by a gateway, it is the one named there.',
      },
      email_verified: { type: 'boolean' },
    },
    { description: 'A user as they see themselves.' },
  ),
);

export const TOKEN_ANSWER = named(
  'TokenAnswer',
  objectOf(
    {
      token: { type: 'string', description: 'Access token, a JWT signed with ES256: `Authorization: Bearer <token>`.' },
      token_type: { type: 'string', const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Life of the access token, seconds.', examples: [900] },
      refresh_token: { type: 'string', description: 'For the next access token. Missing if it went into a cookie.' },
      refresh_expires_in: { type: 'integer', description: 'Seconds until the refresh token ends, unless it is used.' },
      user: SIGNED_IN_USER,
    },
    {
      description: 'The tokens of a session.',
      required: ['token', 'token_type', 'expires_in', 'refresh_expires_in', 'user'],
    },
  ),
);

export const NEW_SESSION = answer('The tokens of a new session.', TOKEN_ANSWER);
export const NEW_SESSION_OR_PAGE = answerOrPage('The tokens of a new session; for browsers a page.', TOKEN_ANSWER);

export function signedInUser({ id, email, name, role, emailVerifiedAt }: Account) {
  return { id, email, name, role, email_verified: emailVerifiedAt !== null };
}

/** Answers to a finished sign-in. To be made after the unit of work that opened or refreshed the session. */
@Injectable()
export class SignInAnswers {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly clock: Clock,
    private readonly cookie: RefreshCookie,
    private readonly device: DeviceCookie,
  ) {}

  of(opened: OpenedSession, mode: TokenMode = 'token'): Promise<Answer<TokenAnswer>> {
    return this.inMode(opened, mode, this.device.keep(opened.account));
  }

  /** The next tokens of a session; they make no device known. */
  async refreshed(opened: OpenedSession, mode: TokenMode): Promise<Answer<TokenAnswer>> {
    return this.inMode(opened, mode);
  }

  /** The `Set-Cookie` headers for a browser that is shown a page and no tokens. */
  async cookiesOf(opened: OpenedSession): Promise<readonly string[]> {
    const { refresh_token: refreshToken, refresh_expires_in: seconds } = await this.tokensOf(opened);
    return [this.cookie.keep(refreshToken, seconds), this.device.keep(opened.account)];
  }

  private async inMode(opened: OpenedSession, mode: TokenMode, ...cookies: string[]): Promise<Answer<TokenAnswer>> {
    const answer = await this.tokensOf(opened);
    if (mode === 'token') return Answer.withCookies(answer, ...cookies);
    const { refresh_token: refreshToken, ...rest } = answer;
    return Answer.withCookies(rest, this.cookie.keep(refreshToken, rest.refresh_expires_in), ...cookies);
  }

  private async tokensOf(opened: OpenedSession): Promise<TokenAnswer & { readonly refresh_token: string }> {
    return {
      token: await this.accessTokens.issue(opened),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: this.refreshTokens.issue(opened),
      refresh_expires_in: Math.ceil((opened.endsAt - this.clock.now()) / 1_000),
      user: signedInUser(opened.account),
    };
  }
}
