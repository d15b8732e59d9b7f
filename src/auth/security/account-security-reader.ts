import { Injectable } from '@nestjs/common';
import { AuditReader } from '../../audit/audit-reader.js';
import type { AuthEventDto } from '../../audit/auth-event.dto.js';
import type { Identity } from '../accounts/identity.entity.js';
import { LinkedIdentities } from '../accounts/linked-identities.js';
import type { ApiTokenDto } from '../tokens/api/api-token.dto.js';
import type { Session } from '../tokens/access/session.entity.js';
import { SessionsService } from '../sessions/lifecycle/sessions.service.js';
import { LivingTokens } from './living-tokens.js';

/** Everything that opens an account, and what happened to it last. */
export interface AccountSecurity {
  readonly sessions: readonly Session[];
  readonly identities: readonly Identity[];
  readonly tokens: readonly ApiTokenDto[];
  readonly events: readonly AuthEventDto[];
}

const MAX_LISTED = 100;
const EVENTS = 20;

/** Reads what opens an account, by one statement for each kind. */
@Injectable()
export class AccountSecurityReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly identities: LinkedIdentities,
    private readonly tokens: LivingTokens,
    private readonly events: AuditReader,
  ) {}

  /** At most a hundred of each kind: the sessions used last, the newest tokens, the last twenty events. */
  async of(userId: number): Promise<AccountSecurity> {
    const [sessions, identities, tokens, events] = await Promise.all([
      this.sessions.list(userId),
      this.identities.list(userId, MAX_LISTED),
      this.tokens.of(userId, MAX_LISTED),
      this.events.last(userId, EVENTS),
    ]);
    return { sessions, identities, tokens, events };
  }
}
