import type { EntityManager } from 'typeorm';
import { execute, placeholders, type SqlValue } from '../database/statements/statement.js';
import type { AuditDetails, AuditEvent } from './audit-event.js';

/** An event as a row, column by column. */
export type EventRow = readonly SqlValue[];

/** Longest texts of the columns. */
const MAX = { email: 320, sessionId: 64, name: 255, ip: 45, requestId: 128, provider: 32, reason: 64, detail: 255 };

const COLUMNS = [
  'at',
  'event',
  'outcome',
  'user_id',
  'email',
  'session_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'ip',
  'user_agent',
  'request_id',
  'provider',
  'reason',
  'details',
];

/** @param hash makes of a typed text what may be kept of it */
export function eventRow(event: AuditEvent, at: number, hash: (typed: string) => string): EventRow {
  const { typedEmail, email = typedEmail === undefined ? null : hash(typedEmail) } = event;
  return [
    at,
    event.event,
    event.outcome,
    event.userId ?? null,
    cut(email, MAX.email),
    cut(event.sessionId, MAX.sessionId),
    ...actorColumns(event.actor),
    ...visitorColumns(event.visitor),
    cut(event.provider, MAX.provider),
    cut(event.reason, MAX.reason),
    detailsText(event.details),
  ];
}

/** What a row says, by the names of its columns, without what is not there. */
export function rowFields(row: EventRow): Readonly<Record<string, unknown>> {
  const fields = COLUMNS.map((column, at) => [column, row[at]] as const).filter(([, value]) => value !== null);
  const { details, ...others } = Object.fromEntries(fields);
  return typeof details === 'string' ? { ...others, details: JSON.parse(details) as unknown } : others;
}

/** Writes rows in one statement: some hundreds at most. */
export async function insertRows(manager: EntityManager, rows: readonly EventRow[]): Promise<void> {
  const places = rows.map((row) => `(${placeholders(row)})`).join(', ');
  await execute(manager, `INSERT INTO auth_events (${COLUMNS.join(', ')}) VALUES ${places}`, rows.flat());
}

function actorColumns(actor: AuditEvent['actor']): EventRow {
  return actor ? [actor.kind, actor.id, cut(actor.name, MAX.name)] : [null, null, null];
}

function visitorColumns(visitor: AuditEvent['visitor']): EventRow {
  if (!visitor) return [null, null, null];
  return [cut(visitor.ip, MAX.ip), cut(visitor.userAgent, MAX.name), cut(visitor.requestId, MAX.requestId)];
}

function detailsText(details: AuditDetails | undefined): string | null {
  if (!details) return null;
  const short = Object.entries(details).map(([name, value]) => {
    return [name, shortDetail(value)] as const;
  });
  return JSON.stringify(Object.fromEntries(short));
}

function shortDetail(value: AuditDetails[string]): AuditDetails[string] {
  if (typeof value === 'string') return cut(value, MAX.detail);
  return Array.isArray(value) ? value.map((text: string) => cut(text, MAX.detail) ?? '') : value;
}

/** What fits into the column: one value that does not would keep all others of its statement out. */
function cut(text: string | null | undefined, length: number): string | null {
  return text?.slice(0, length).toWellFormed() ?? null;
}
