import { fingerprintOf, readCursor, type CursorValue } from '../common/envelope.js';
import { clientAddress } from '../common/http/request-context.js';
import { asSent, invalidQuery, PAGE, readQuery } from '../common/http/url-query.js';
import { parameterRef, query } from '../common/openapi/describe.js';
import { idOf } from '../common/id.js';
import { isInstant } from '../common/schema/formats.js';
import type { SqlValue } from '../database/statements/statement.js';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from './audit-event.js';

/** Which events a client asks for. */
export interface AuditQuery {
  readonly page: number;
  readonly perPage: number;
  readonly conditions: readonly AuditCondition[];
  /** Time and id of the last event that the client has seen. */
  readonly after: readonly CursorValue[] | null;
  /** Of everything but the position, so that a cursor is not used for another list. */
  readonly fingerprint: string;
}

interface AuditCondition {
  /** A property of the event, and how it compares: `at >=`. */
  readonly sql: string;
  readonly value: SqlValue;
}

const FILTERS = {
  event: condition('event =', oneOf(AUDIT_EVENTS)),
  outcome: condition('outcome =', oneOf(AUDIT_OUTCOMES)),
  user_id: condition('userId =', id),
  session_id: condition('sessionId =', sessionId),
  ip: condition('ip =', address),
  since: condition('at >=', moment),
  until: condition('at <', moment),
};
const PARAMETERS = { per_page: PAGE.per_page, cursor: asSent, ...FILTERS };

/** {@link PARAMETERS} in the description of the API. */
export const AUDIT_PARAMETERS = [
  parameterRef('PerPage'),
  query('cursor', 'The `next_cursor` of the page before.'),
  query('event', 'Only these.', { type: 'string', enum: [...AUDIT_EVENTS] }),
  query('outcome', 'Only those that ended so.', { type: 'string', enum: [...AUDIT_OUTCOMES] }),
  query('user_id', 'About this user.', { type: 'integer' }),
  query('session_id', 'Of this session.', { type: 'string', maxLength: 64 }),
  query('ip', 'From this address, however it is spelled.'),
  query('since', 'At this moment or later: `2030-01-31T00:00:00Z`.'),
  query('until', 'Before this moment: `2030-01-31T00:00:00Z`.'),
];

/** Time and id. */
const CURSOR_KEYS = 2;

/** @throws {DomainError} `invalid_query` or `invalid_cursor`, naming the parameter */
export function auditQuery(query: URLSearchParams): AuditQuery {
  const { per_page: perPage, cursor, ...filters } = readQuery(query, PARAMETERS);
  const fingerprint = fingerprintOf(['audit', [...query].filter(([name]) => name in FILTERS).sort()]);
  const position = cursor === null ? { page: 1, after: null } : readCursor(cursor, fingerprint, CURSOR_KEYS);
  return {
    ...position,
    perPage,
    conditions: Object.values(filters).filter((filter) => filter !== null),
    fingerprint,
  };
}

/** Reader of a filter: `read` makes the value of its text, or throws. */
function condition(
  sql: string,
  read: (text: string, name: string) => SqlValue,
): (text: string | null, name: string) => AuditCondition | null {
  return (text, name) => (text === null ? null : { sql, value: read(text, name) });
}

function oneOf(values: readonly string[]) {
  return (text: string, name: string): string => {
    if (values.includes(text)) return text;
    throw invalidQuery(name, 'enum', `${name} must be one of: ${values.join(', ')}.`);
  };
}

function id(text: string, name: string): number {
  const found = idOf(text);
  if (found === null) throw invalidQuery(name, 'integer', `${name} must be the id of a user.`);
  return found;
}

function sessionId(text: string, name: string): string {
  if (/^[\x21-\x7e]{1,64}$/.test(text)) return text;
  throw invalidQuery(name, 'format', `${name} must be the id of a session.`);
}

function address(text: string, name: string): string {
  const found = clientAddress(text);
  if (found === 'unknown')
    throw invalidQuery(name, 'ip', `${name} must be an address such as 192.0.2.1 or 2001:db8::1.`);
  return found;
}

function moment(text: string, name: string): number {
  if (isInstant(text)) return Date.parse(text.toUpperCase());
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidQuery(
    name,
    'instant',
    `${name} must be an instant such as "2030-01-31T00:00:00Z", or milliseconds since 1970.`,
  );
}
