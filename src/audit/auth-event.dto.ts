import type { AuditEventName, AuditOutcome } from './audit-event.js';
import type { AuthEvent } from './auth-event.entity.js';

/** An event of the audit as the API shows it. */
export class AuthEventDto {
  id!: number;
  at!: string;
  event!: AuditEventName;
  outcome!: AuditOutcome;
  user_id!: number | null;
  email!: string | null;
  session_id!: string | null;
  actor!: { kind: 'token' | 'user'; id: number | null; name: string } | null;
  ip!: string | null;
  user_agent!: string | null;
  request_id!: string | null;
  provider!: string | null;
  reason!: string | null;
  details!: object | null;

  static from(event: AuthEvent): AuthEventDto {
    const { actorKind: kind, actorId: id, actorName: name } = event;
    return {
      id: event.id,
      at: new Date(event.at).toISOString(),
      event: event.event,
      outcome: event.outcome,
      user_id: event.userId,
      email: event.email,
      session_id: event.sessionId,
      actor: kind === null ? null : { kind, id, name: name ?? '' },
      ip: event.ip,
      user_agent: event.userAgent,
      request_id: event.requestId,
      provider: event.provider,
      reason: event.reason,
      // Written by ourselves, as an object.
      details: event.details === null ? null : (JSON.parse(event.details) as object),
    };
  }
}
