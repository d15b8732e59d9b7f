import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan } from 'typeorm';
import { AuditReader } from '../../audit/audit-reader.js';
import type { AuthEventDto } from '../../audit/auth-event.dto.js';
import { Clock } from '../../common/clock.js';
import type { ReadRepository } from '../../database/statements/read-repository.js';
import type { Identity } from '../accounts/identity.entity.js';
import { LinkedIdentities } from '../accounts/linked-identities.js';
import { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import type { Session } from '../tokens/access/session.entity.js';
import { SessionsService } from '../sessions/lifecycle/sessions.service.js';

/** Everything that opens an account, and what happened to it last. */
export interface AccountSecurity {
  readonly sessions: readonly Session[];
  readonly identities: readonly Identity[];
  readonly tokens: readonly ApiToken[];
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
    @InjectRepository(ApiToken) private readonly tokens: ReadRepository<ApiToken>,
    private readonly events: AuditReader,
    private readonly clock: Clock,
  ) {}

  /** At most a hundred of each kind: the sessions used last, the newest tokens, the last twenty events. */
  async of(userId: number): Promise<AccountSecurity> {
    const living = { ownerId: userId, revokedAt: IsNull() };
    const [sessions, identities, tokens, events] = await Promise.all([
      this.sessions.list(userId),
      this.identities.list(userId, MAX_LISTED),
      this.tokens.find({
        where: [
          { ...living, expiresAt: IsNull() },
          { ...living, expiresAt: MoreThan(this.clock.now()) },
        ],
        order: { id: 'DESC' },
        take: MAX_LISTED,
      }),
      this.events.last(userId, EVENTS),
    ]);
    return { sessions, identities, tokens, events };
  }
}
