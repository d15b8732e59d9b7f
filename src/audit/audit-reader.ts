import { idOf } from '../common/text/names.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OpenAPIV3_1 } from 'openapi-types';
import { IsNull, Not, type EntityManager } from 'typeorm';
import { writeCursor, type ListEnvelope, fingerprintOf, readCursor } from '../common/envelope.js';
import { clientAddress } from '../common/http/request-context.js';
import { asSent, invalidQuery, PAGE, readQuery } from '../common/http/url-query.js';
import { Job } from '../common/jobs/job.decorator.js';
import { parameterRef, query, objectOf } from '../common/openapi/describe.js';
import { named } from '../common/openapi/endpoint.js';
import { isInstant } from '../common/schema/formats.js';
import { Settings } from '../config/settings.js';
import { deleteOld } from '../database/schema/old-rows.js';
import type { ReadRepository } from '../database/statements/reads.js';
import type { SqlValue } from '../database/statements/statement.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { AUDIT_EVENTS, AUDIT_OUTCOMES } from './audit-event.js';
import { AuthEvent } from './auth-event.entity.js';

/** Shows the audit, newest first. Nothing is ever counted: there may be millions. */
@Injectable()
export class AuditReader {
  constructor(@InjectRepository(AuthEvent) private readonly events: ReadRepository<AuthEvent>) {}

  async page(query: AuditQuery): Promise<ListEnvelope<AuthEventDto>> {
    const { page, perPage, fingerprint } = query;
    const found = await this.find(query);
    const shown = found.slice(0, perPage);
    const last = found.length > perPage ? shown.at(-1) : undefined;
    return {
      data: shown.map(shownEvent),
      meta: {
        per_page: perPage,
        current_page: page,
        next_cursor: last ? writeCursor({ page: page + 1, after: [last.at, last.id] }, fingerprint) : null,
      },
    };
  }

  /** The last events about a user, newest first. */
  async last(userId: number, count: number): Promise<AuthEventDto[]> {
    const found = await this.events.find({ where: { userId }, order: { at: 'DESC', id: 'DESC' }, take: count });
    return found.map(shownEvent);
  }

  /** One more than the page has. */
  private find({ conditions, after, perPage }: AuditQuery): Promise<AuthEvent[]> {
    const select = this.events.createQueryBuilder('e').orderBy('e.at', 'DESC').addOrderBy('e.id', 'DESC');
    for (const [index, { sql, value }] of conditions.entries()) {
      select.andWhere(`e.${sql} :value${index}`, { [`value${index}`]: value });
    }
    // The first half leads into the index, the second one passes over what stands level.
    if (after) select.andWhere('e.at <= :at AND (e.at < :at OR e.id < :id)', { at: after[0], id: after[1] });
    return select.take(perPage + 1).getMany();
  }
}

/** True if the audit has a session that a user has begun, which may be forgotten by now. */
export function hasBegunSession(manager: EntityManager, userId: number): Promise<boolean> {
  return manager.existsBy(AuthEvent, { userId, sessionId: Not(IsNull()), outcome: 'success' });
}

type AuditQuery = ReturnType<typeof auditQuery>;

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
export function auditQuery(query: URLSearchParams) {
  const { per_page: perPage, cursor, ...filters } = readQuery(query, PARAMETERS);
  const fingerprint = fingerprintOf(['audit', [...query].filter(([name]) => name in FILTERS).sort()]);
  const position = cursor === null ? { page: 1, after: null } : readCursor(cursor, fingerprint, CURSOR_KEYS);
  const conditions = Object.values(filters).filter((filter) => filter !== null);
  return { ...position, perPage, conditions, fingerprint };
}

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

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Drops old events of the audit, in small steps. */
@Injectable()
export class AuditJobs {
  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly time: AgreedTime,
  ) {}

  @Job({
    name: 'audit.drop-old',
    every: EVERY_MS,
    lock: 'audit',
    failure: 'old events of the audit could not be dropped',
  })
  async dropOld(signal?: AbortSignal): Promise<void> {
    const { auditRetentionDays: days } = this.settings;
    if (days === 0) return;
    const before = (await this.time.now()) - days * DAY_MS;
    await deleteOld(this.unitOfWork, { table: 'auth_events', condition: 'at < ?', before }, signal);
  }
}

const textOrNull = (description: string): OpenAPIV3_1.SchemaObject => ({ type: ['string', 'null'], description });

export const AUDIT_EVENT_PARTS = {
  id: { type: 'integer' },
  at: { type: 'string', format: 'date-time' },
  event: { type: 'string', enum: [...AUDIT_EVENTS] },
  outcome: { type: 'string', enum: [...AUDIT_OUTCOMES] },
  user_id: { type: ['integer', 'null'], description: 'Whom it is about.' },
  email: textOrNull('The address of that user, or `hmac:` and a keyed hash of what was typed.'),
  session_id: textOrNull('The session it belongs to.'),
  actor: {
    type: ['object', 'null'],
    description: 'Who did it, if that is known.',
    required: ['kind', 'id', 'name'],
    additionalProperties: false,
    properties: {
      kind: { type: 'string', enum: ['token', 'user'] },
      id: { type: ['integer', 'null'], description: '`null`: a token of the configuration, or the command line.' },
      name: { type: 'string' },
    },
  },
  ip: textOrNull('Address of the client.'),
  user_agent: textOrNull('At most 255 characters.'),
  request_id: textOrNull('The id that the log has for the request.'),
  provider: textOrNull('The provider of that sign-in, if there was one: `google`.'),
  reason: textOrNull('Why it failed.'),
  details: {
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Further details, such as `new_device` of a sign-in, `service_tokens` that remain, and `requests` and `routes` of refusals that are summed up.',
  },
} satisfies Record<keyof AuthEventDto, OpenAPIV3_1.SchemaObject>;

export const AUDIT_EVENT = named('AuditEvent', objectOf(AUDIT_EVENT_PARTS));

/** An event of the audit as the API shows it. */
export type AuthEventDto = ReturnType<typeof shownEvent>;

function shownEvent(event: AuthEvent) {
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
