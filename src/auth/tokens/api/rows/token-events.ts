import type { AuditEvent } from '../../../../audit/audit-event.js';
import type { ApiToken } from './api-token.entity.js';

/** What the audit says of a token; its hint is as good as its name to find it by, and no secret. */
export function tokenEvent(
  event: AuditEvent['event'],
  token: ApiToken,
  by: Pick<AuditEvent, 'actor' | 'visitor'>,
  more: AuditEvent['details'] = {},
): AuditEvent {
  const { id, name, hint, scopes, kind, ownerId } = token;
  const details = { token_id: id, name, hint, scopes, kind, ...until(token), ...more };
  return { event, outcome: 'success', userId: ownerId, ...by, details };
}

/** `null`: for ever. */
export function until({ expiresAt }: ApiToken): { readonly expires_at: string | null } {
  return { expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() };
}
