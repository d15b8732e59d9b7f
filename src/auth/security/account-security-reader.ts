import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import { AuditReader, type AuthEventDto, AUDIT_EVENT_PARTS } from '../../audit/audit-reader.js';
import { objectOf } from '../../common/openapi/describe.js';
import { named } from '../../common/openapi/endpoint.js';
import { Reads } from '../../database/statements/reads.js';
import type { Account } from '../../users/rows/account.js';
import { identitiesOf, identityDto, IDENTITY } from '../accounts/account-credentials.js';
import { SESSION, sessionDto } from '../sessions/lifecycle/sessions.dto.js';
import { SessionsService } from '../sessions/lifecycle/sessions.service.js';
import { API_TOKEN, apiTokenDto } from '../tokens/api/api-token.dto.js';
import { ApiTokensService } from '../tokens/api/api-tokens.service.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';

const MAX_LISTED = 100;
const EVENTS = 20;

/** Reads what opens an account, by one statement for each kind. */
@Injectable()
export class AccountSecurityReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly reads: Reads,
    private readonly tokens: ApiTokensService,
    private readonly configured: ConfiguredTokens,
    private readonly events: AuditReader,
  ) {}

  /** At most a hundred of each kind, the latest. @param currentId the session of the request; empty: none of this account */
  async of({ id: userId, passwordHash }: Account, currentId = '') {
    const [sessions, identities, tokens, events] = await Promise.all([
      this.sessions.list(userId),
      identitiesOf(this.reads, userId, MAX_LISTED),
      this.tokens.living(userId, MAX_LISTED),
      this.events.last(userId, EVENTS),
    ]);
    return {
      has_password: passwordHash !== null,
      sessions: sessions.map((session) => sessionDto(session, currentId)),
      identities: identities.map(identityDto),
      tokens: tokens.map((token) => apiTokenDto(token, this.configured)),
      events: events.map((event) => eventView(event, userId)),
    };
  }
}

const { id, at, event, outcome, session_id, ip, user_agent, provider, reason } = AUDIT_EVENT_PARTS;
const by: OpenAPIV3_1.SchemaObject = { type: 'string', enum: ['user', 'administrator'] };
const EVENT = objectOf(
  { id, at, event, outcome, by, session_id, ip, user_agent, provider, reason },
  { description: 'What happened to the account. Names of others are not shown.' },
);

export const ACCOUNT_SECURITY = named(
  'AccountSecurity',
  objectOf(
    {
      has_password: { type: 'boolean' },
      sessions: { type: 'array', items: SESSION },
      identities: { type: 'array', items: IDENTITY },
      tokens: { type: 'array', items: API_TOKEN },
      events: { type: 'array', items: EVENT },
    },
    { description: 'What opens an account, and what happened to it last.' },
  ),
);

/** An event without the names of others, who are administrators or tokens of operators. */
function eventView({ actor, ...event }: AuthEventDto, ownId: number) {
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
