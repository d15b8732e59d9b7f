import type { EntityManager } from 'typeorm';
import type { AuditEvent } from '../audit/audit-event.js';
import { eventRow, insertRows } from '../audit/audit.js';
import type { Caller } from '../common/access/caller.js';
import { Clock } from '../common/clock.js';
import type { Dialect } from '../database/dialect/dialect.js';
import { requireKnownSchema } from '../database/schema/newer-schema-error.js';
import { requireRestored } from '../database/schema/unfinished-restore.js';
import { Writer } from '../database/statements/writer.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';

/** The command line needs access to the database itself, so no scope is worth checking. */
export const OPERATOR: Caller = { kind: 'user', id: null, name: 'command line', scopes: new Set(['*']) };

type OperatorEvent = Pick<AuditEvent, 'event' | 'details'>;

/** Writes into the audit what a command does that needs no service, in the unit of work that does it. */
export async function addEvent(manager: EntityManager, event: OperatorEvent): Promise<void> {
  // No address was typed, so none has to be hashed.
  const row = eventRow({ ...event, outcome: 'success', actor: OPERATOR }, new Clock().now(), () => '');
  await insertRows(manager, [row]);
}

/**
 * Writes into the audit what a command has done. A full disk, or a read-only user, does not make a failure of it.
 * @returns a warning if the event could not be written
 */
export async function noteDone(dialect: Dialect, event: OperatorEvent): Promise<{ readonly warning?: string }> {
  try {
    await withWriter(dialect, (writer) => new UnitOfWork(writer).run((manager) => addEvent(manager, event)));
    return {};
  } catch {
    return { warning: `Warning: the event ${event.event} could not be written to the audit of ${dialect.label}.` };
  }
}

/** Writes into a database without the service, if its tables are whole and of this version. @throws {DomainError} `not_ready` */
export async function withKnownSchema(dialect: Dialect, work: (writer: Writer) => Promise<unknown>): Promise<void> {
  await withWriter(dialect, async (writer) => {
    await requireRestored(writer.source);
    await requireKnownSchema(writer.source);
    await work(writer);
  });
}

async function withWriter(dialect: Dialect, work: (writer: Writer) => Promise<unknown>): Promise<void> {
  const writer = await Writer.open(dialect);
  try {
    await work(writer);
  } finally {
    await writer.onApplicationShutdown();
  }
}
