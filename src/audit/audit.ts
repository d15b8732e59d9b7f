import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Chores } from '../common/chores.js';
import { Clock } from '../common/clock.js';
import { ERROR_STATUS } from '../common/errors/catalogue.js';
import { DomainError } from '../common/errors/domain-error.js';
import { LOG } from '../common/logging/logging.module.js';
import { AppKeys } from '../config/app-keys.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { AuditEvent } from './audit-event.js';
import { eventRow, insertRows, type EventRow } from './event-row.js';
import { NotedEvents } from './noted-events.js';
import { asUnavailable } from '../database/database-error.js';

const WRITE_EVERY_MS = 1_000;
const ROWS_PER_UNIT = 500;
const HASH_DIGITS = 32;

/**
 * Writes down what happens to accounts and credentials: who, from where, and how it ended. Only ever added to.
 *
 * @see ADR 6, ASVS 5.0 16.3.1
 */
@Injectable()
export class Audit implements OnApplicationBootstrap {
  private readonly noted = new NotedEvents();
  private readonly chores: Chores;
  private readonly key: Buffer;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    keys: AppKeys,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.key = keys.key('audit');
    this.chores = new Chores(
      log,
      'events could not be written to the audit; they are kept for the next try',
      asUnavailable,
    );
  }

  /** Writes the event in the unit of work that it tells of: both happen or neither. */
  add(manager: EntityManager, event: AuditEvent): Promise<void> {
    return insertRows(manager, [this.rowOf(event)]);
  }

  /**
   * Notes an event that no unit of work belongs to, such as a refused sign-in. It is written within a second, with
   * others, and when the service stops; a crash loses that second. Never fails a request.
   */
  note(event: AuditEvent): void {
    this.noted.add(this.rowOf(event));
  }

  /** Does what may be refused to somebody, and notes the refusal. Failures of ours, and waiting, are nobody's doing. */
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
    this.chores.every(WRITE_EVERY_MS, () => this.write());
    // Not earlier: requests are answered until then. Not later: the connection ends.
    this.unitOfWork.beforeEnd(() => this.end());
  }

  private async end(): Promise<void> {
    await this.chores.stop();
    try {
      await this.write();
    } catch (err) {
      this.log.error({ err, events: this.noted.size }, 'the last events of the audit are lost');
    }
  }

  /** Writes what was noted; what cannot be written stays noted. */
  async write(): Promise<void> {
    this.noteDropped();
    for (let rows = this.take(); rows.length > 0; rows = this.take()) {
      try {
        await this.unitOfWork.run((manager) => insertRows(manager, rows));
      } catch (error) {
        this.noted.putBack(rows);
        throw error;
      }
    }
  }

  private take(): readonly EventRow[] {
    return this.noted.take(ROWS_PER_UNIT);
  }

  private noteDropped(): void {
    const events = this.noted.takeDropped();
    if (events > 0) this.note({ event: 'audit.dropped', outcome: 'failure', reason: 'flood', details: { events } });
  }

  private rowOf(event: AuditEvent): EventRow {
    return eventRow(event, this.clock.now(), (typed) => this.hashOf(typed));
  }

  /** However it is spelled: what differs in case and in spaces around it is the same address. */
  private hashOf(typed: string): string {
    const plain = typed.trim().toLowerCase();
    return `hmac:${createHmac('sha256', this.key).update(plain).digest('hex').slice(0, HASH_DIGITS)}`;
  }
}

/** Whether somebody could not prove who they are, or may not do it. */
function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && [401, 403].includes(ERROR_STATUS[error.error]);
}
