import type { AuthEventDto } from '../../audit/auth-event.dto.js';
import type { Account } from '../../users/rows/account.js';
import { IdentityDto } from '../accounts/linked-identities.js';
import type { ApiTokenDto } from '../tokens/api/api-token.dto.js';
import { SessionDto } from '../sessions/lifecycle/sessions.dto.js';
import type { AccountSecurity } from './account-security-reader.js';

/** An event as the owner of the account sees it: without the names of others. */
export interface EventView {
  readonly id: number;
  readonly at: string;
  readonly event: string;
  readonly outcome: string;
  /** `administrator`: an administrator, or a token of the operators. */
  readonly by: 'user' | 'administrator';
  readonly session_id: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly provider: string | null;
  readonly reason: string | null;
}

/** The answer of `GET /api/auth/security` and `GET /api/users/{id}/security`. */
export class SecurityDto {
  has_password!: boolean;
  sessions!: SessionDto[];
  identities!: IdentityDto[];
  tokens!: ApiTokenDto[];
  events!: EventView[];

  /** @param currentId the session of the request; empty: it has none of this account */
  static from({ id, passwordHash }: Account, security: AccountSecurity, currentId = ''): SecurityDto {
    const { sessions, identities, tokens, events } = security;
    return {
      has_password: passwordHash !== null,
      sessions: sessions.map((session) => SessionDto.from(session, currentId)),
      identities: identities.map((identity) => IdentityDto.from(identity)),
      tokens: [...tokens],
      events: events.map((event) => eventView(event, id)),
    };
  }
}

function eventView({ actor, ...event }: AuthEventDto, ownId: number): EventView {
  const isOwn = actor === null || (actor.kind === 'user' && actor.id === ownId);
  return {
    id: event.id,
    at: event.at,
    event: event.event,
    outcome: event.outcome,
    by: isOwn ? 'user' : 'administrator',
    session_id: event.session_id,
    ip: event.ip,
    user_agent: event.user_agent,
    provider: event.provider,
    reason: event.reason,
  };
}
