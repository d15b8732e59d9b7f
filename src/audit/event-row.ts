import type { EntityManager } from 'typeorm';
import { execute, placeholders, type SqlValue } from '../database/statements/statement.js';
import type { AuditDetails, AuditEvent } from './audit-event.js';

/** An event as a row, by the names of its columns. */
export type EventRow = Readonly<Record<string, SqlValue>>;

const MAX_NAME = 255;

/** @param hash makes of a typed text what may be kept of it */
export function eventRow(event: AuditEvent, at: number, hash: (typed: string) => string): EventRow {
  const { typedEmail, email = typedEmail === undefined ? null : hash(typedEmail) } = event;
  return {
    at,
    event: event.event,
    outcome: event.outcome,
    user_id: event.userId ?? null,
    email: cut(email, 320),
    session_id: cut(event.sessionId, 64),
    ...actorColumns(event.actor),
    ...visitorColumns(event.visitor),
    provider: cut(event.provider, 32),
    reason: cut(event.reason, 64),
    details: event.details ? JSON.stringify(event.details, shortDetail) : null,
  };
}

/** What a row says, without what is not there. */
export function rowFields(row: EventRow): Readonly<Record<string, unknown>> {
  const { details, ...others } = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return typeof details === 'string' ? { ...others, details: JSON.parse(details) as unknown } : others;
}

/** Writes rows in one statement: some hundreds at most. */
export async function insertRows(manager: EntityManager, rows: readonly EventRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const places = rows.map(() => `(${placeholders(columns)})`).join(', ');
  const values = rows.flatMap((row) => Object.values(row));
  await execute(manager, `INSERT INTO auth_events (${columns.join(', ')}) VALUES ${places}`, values);
}

function actorColumns(actor: AuditEvent['actor']): EventRow {
  const { kind = null, id = null, name = null } = actor ?? {};
  return { actor_kind: kind, actor_id: id, actor_name: cut(name, MAX_NAME) };
}

function visitorColumns(visitor: AuditEvent['visitor']): EventRow {
  const { ip = null, userAgent = null, requestId = null } = visitor ?? {};
  return { ip: cut(ip, 45), user_agent: cut(userAgent, MAX_NAME), request_id: cut(requestId, 128) };
}

/** Texts of details, and those in their lists. */
function shortDetail(_: string, value: AuditDetails[string]): unknown {
  return typeof value === 'string' ? cut(value, MAX_NAME) : value;
}

/** What fits into the column: one value that does not would keep all others of its statement out. */
function cut(text: string | null | undefined, length: number): string | null {
  return text?.slice(0, length).toWellFormed() ?? null;
}
