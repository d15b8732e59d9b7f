import { IsIn, IsString } from '../../../common/dto-rules.js';
import { IfSent } from '../../../users/user-fields.js';
import type { LogoutScope } from './sessions.service.js';
import type { Session } from '../../tokens/access/session.entity.js';

/** Body of `POST /api/auth/refresh`. Without a token the one in the cookie is meant. */
export class RefreshDto {
  @IfSent()
  @IsString({ message: 'refresh_token must be a string.' })
  refresh_token?: string;
}

/** What a logout may end. */
export const LOGOUT_SCOPES = ['local', 'others', 'all'] as const satisfies readonly LogoutScope[];

/** Body of `POST /api/auth/logout`. */
export class LogoutDto extends RefreshDto {
  @IfSent()
  @IsIn(LOGOUT_SCOPES, { message: `scope must be one of: ${LOGOUT_SCOPES.join(', ')}.` })
  scope?: LogoutScope;
}

/** A session as its user sees it. */
export class SessionDto {
  id!: string;
  /** Whether the request came from it. */
  current!: boolean;
  amr!: string[];
  ip!: string;
  user_agent!: string | null;
  created_at!: string;
  refreshed_at!: string;
  expires_at!: string;

  static from(session: Session, currentId: string): SessionDto {
    return {
      id: session.id,
      current: session.id === currentId,
      amr: session.amr.split(' '),
      ip: session.ip,
      user_agent: session.userAgent,
      created_at: new Date(session.createdAt).toISOString(),
      refreshed_at: new Date(session.refreshedAt).toISOString(),
      expires_at: new Date(session.expiresAt).toISOString(),
    };
  }
}
