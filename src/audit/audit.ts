import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { ERROR_STATUS } from '../common/errors/catalogue.js';
import { DomainError } from '../common/errors/domain-error.js';
import type { ServiceRequest } from '../common/http/request-context.js';
import { JobQueue } from '../common/jobs/job-queue.js';
import { LOG } from '../common/logging/logging.module.js';
import { readGauge } from '../common/metrics/read-gauge.js';
import { Settings } from '../config/settings.js';
import { AppKeys } from '../config/values/app-keys.js';
import { asUnavailable } from '../database/dialect/database-error.js';
import { execute, placeholders, type SqlValue } from '../database/statements/statement.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import type { AuditEvent, AuditEventName, AuditDetails } from './audit-event.js';
import { anonymousRefusal, RefusalSums, requestRefusal } from './refusal-sums.js';

type EventRow = Readonly<Record<string, SqlValue>>;

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

function rowFields(row: EventRow): Readonly<Record<string, unknown>> {
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

function shortDetail(_: string, value: AuditDetails[string]): unknown {
  return typeof value === 'string' ? cut(value, MAX_NAME) : value;
}

/** The part that fits into the column: one value that is too long would keep all others of its statement out. */
function cut(text: string | null | undefined, length: number): string | null {
  return text?.slice(0, length).toWellFormed() ?? null;
}

const METHOD_OF: Partial<Record<AuditEventName, string>> = {
  login: 'password',
  'otp.verify': 'otp',
  'magic_link.verify': 'magic-link',
  'invitation.accepted': 'invitation',
};
const PROVIDERS: ReadonlySet<string> = new Set(['google', 'apple', 'oidc']);

/** Signals about events beside the table: a metric of sign-ins, and lines of the log. */
@Injectable()
export class AuditSignals {
  private readonly signIns: Counter<'method' | 'outcome'>;

  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly settings: Settings,
    private readonly registry: Registry,
  ) {
    this.signIns = new Counter({
      name: 'cms_sign_ins_total',
      help: 'Sign-ins that were tried.',
      labelNames: ['method', 'outcome'],
      registers: [registry],
    });
  }

  /** @param waiting how many events are yet to be written */
  measure(waiting: () => number): void {
    const help = 'Events of the audit that are yet to be written.';
    readGauge({ name: 'cms_audit_waiting', help, registers: [this.registry] }, waiting);
  }

  happened({ event, outcome, provider }: AuditEvent): void {
    const method = event === 'provider.sign_in' && PROVIDERS.has(provider ?? '') ? provider : METHOD_OF[event];
    if (method !== undefined) this.signIns.inc({ method, outcome });
  }

  written(row: EventRow): void {
    if (this.settings.isAuditLogged) this.log.info({ audit: rowFields(row) }, 'audit');
  }
}

const WRITE_EVERY_MS = 1_000;
const SUM_EVERY_MS = 60_000;
const ROWS_PER_UNIT = 500;
const HASH_DIGITS = 32;
/** A few megabytes. */
const MAX_NOTED = 10_000;
/** Dropped at once, so that under a flood not every event moves all others. */
const GIVEN_UP = 1_000;

/** Port for features that follow what happens to accounts and credentials. */
export interface AuditListener {
  /** Called in the unit of work that the event belongs to. Events that are only noted are not followed. */
  added(manager: EntityManager, event: AuditEvent): Promise<void>;
}

/**
 * Writes down what happens to accounts and credentials: who, from where, and how it ended. Only ever added to.
 *
 * @see ADR 6, ASVS 5.0 16.3.1
 */
@Injectable()
export class Audit implements OnApplicationBootstrap {
  /** Rows that wait to be written. When there are too many the oldest are dropped and counted. */
  private noted: EventRow[] = [];
  private dropped = 0;
  private readonly anonymous = new RefusalSums('events');
  private readonly requests = new RefusalSums('routes');
  private readonly jobs: JobQueue;
  private readonly listeners: AuditListener[] = [];
  private readonly key: Buffer;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    keys: AppKeys,
    @Inject(LOG) private readonly log: Logger,
    private readonly signals: AuditSignals,
  ) {
    this.key = keys.key('audit');
    signals.measure(() => this.noted.length);
    this.jobs = new JobQueue(
      log,
      'events could not be written to the audit; they are kept for the next try',
      asUnavailable,
    );
  }

  /** Has a feature follow the events that are written in units of work. To be called at start. */
  listen(listener: AuditListener): void {
    this.listeners.push(listener);
  }

  /** Writes the event in the unit of work that it is about: both happen or neither. */
  async add(manager: EntityManager, event: AuditEvent): Promise<void> {
    const row = this.rowOf(event);
    await insertRows(manager, [row]);
    this.unitOfWork.afterCommit(() => {
      this.signals.happened(event);
      this.signals.written(row);
    });
    for (const listener of this.listeners) await listener.added(manager, event);
  }

  /**
   * Notes an event that no unit of work belongs to, such as a refused sign-in. It is written within a second, or a minute if it
   * is about no account and not the first one of its network; a crash loses that time. Never fails a request.
   */
  note(event: AuditEvent): void {
    this.signals.happened(event);
    const refusal = anonymousRefusal(event);
    if (refusal === null || this.anonymous.add(refusal)) this.keep(event);
  }

  /**
   * Notes who is refused for lack of a scope, and which networks send bearer tokens that are not valid: the first refusal at
   * once, those after it as one sum a minute.
   *
   * @see ASVS 5.0 16.3.2
   */
  noteRequest(request: ServiceRequest, failure: DomainError): void {
    const refusal = requestRefusal(request, failure);
    if (refusal === null || !this.requests.add(refusal)) return;
    this.keep({ ...refusal.event, details: { requests: 1, routes: [refusal.name] } });
  }

  /** Does what may be refused, and notes the refusal. Failures of the service, and waiting, are none. */
  async noteRefusal<Result>(
    event: Omit<AuditEvent, 'outcome' | 'reason'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) this.note({ ...event, outcome: 'failure', reason: error.error });
      throw error;
    }
  }

  onApplicationBootstrap(): void {
    this.jobs.every(WRITE_EVERY_MS, () => this.write());
    this.jobs.every(SUM_EVERY_MS, () => {
      this.sumUp();
      return Promise.resolve();
    });
    // Not earlier: requests are answered until then. Not later: the connection ends.
    this.unitOfWork.beforeEnd(() => this.end());
  }

  private async end(): Promise<void> {
    await this.jobs.stop();
    this.sumUp();
    try {
      await this.write();
    } catch (err) {
      this.log.error({ err, events: this.noted.length }, 'the last events of the audit are lost');
    }
  }

  /** Writes what was noted; what cannot be written stays noted. */
  async write(): Promise<void> {
    const { dropped: events } = this;
    this.dropped = 0;
    if (events > 0) this.note({ event: 'audit.dropped', outcome: 'failure', reason: 'flood', details: { events } });
    while (this.noted.length > 0) {
      const rows = this.noted.splice(0, ROWS_PER_UNIT);
      try {
        await this.unitOfWork.run((manager) => insertRows(manager, rows));
      } catch (error) {
        this.noted = [...rows, ...this.noted];
        this.dropOldest();
        throw error;
      }
    }
  }

  /** Notes what was summed up: once a minute, and at a stop. */
  sumUp(): void {
    for (const sum of [...this.anonymous.take(), ...this.requests.take()]) this.keep(sum);
  }

  private keep(event: AuditEvent): void {
    const row = this.rowOf(event);
    this.noted.push(row);
    this.dropOldest();
    this.signals.written(row);
  }

  private dropOldest(): void {
    if (this.noted.length <= MAX_NOTED) return;
    this.dropped += this.noted.splice(0, this.noted.length - MAX_NOTED + GIVEN_UP).length;
  }

  private rowOf(event: AuditEvent): EventRow {
    return eventRow(event, this.clock.now(), (typed) => this.hashOf(typed));
  }

  /** A difference in case and in spaces around it does not matter. */
  private hashOf(typed: string): string {
    const plain = typed.trim().toLowerCase();
    return `hmac:${createHmac('sha256', this.key).update(plain).digest('hex').slice(0, HASH_DIGITS)}`;
  }
}

/** True if a caller could not be identified, or may not do it. */
function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && [401, 403].includes(ERROR_STATUS[error.error]);
}
