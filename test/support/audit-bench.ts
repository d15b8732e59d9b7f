import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Audit, AuditSignals } from '../../src/audit/audit.js';
import type { Visitor } from '../../src/common/access/visitor.js';
import { Clock } from '../../src/common/clock.js';
import { readSettings } from '../../src/config/settings.js';
import { AppKeys } from '../../src/config/values/app-keys.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { execute, select } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { createMigratedDatabase } from './migrated-database.js';
import type { TestDatabase } from './test-database.js';

export const VISITOR: Visitor = { ip: '203.0.113.9', userAgent: 'Firefox', requestId: 'r-1' };

type Row = Readonly<Record<string, string | number | null>>;

interface Parts {
  readonly appSecret?: string;
  readonly units?: UnitOfWork;
  readonly clock?: Clock;
}

/** The audit on a database of its own. */
export class AuditBench {
  /** Lines of the log. */
  readonly logged: unknown[] = [];

  private constructor(
    private readonly database: TestDatabase,
    private readonly writer: Writer,
    readonly units: UnitOfWork,
  ) {}

  static async open(): Promise<AuditBench> {
    const database = await createMigratedDatabase();
    const writer = await Writer.open(dialectFor(database.address));
    return new AuditBench(database, writer, new UnitOfWork(writer));
  }

  /** Removes all events and lines. */
  async empty(): Promise<void> {
    await this.units.run((manager) => execute(manager, 'DELETE FROM auth_events'));
    this.logged.length = 0;
  }

  audit({
    appSecret = 'a secret of thirty-two bytes, at least',
    units = this.units,
    clock = new Clock(),
  }: Parts = {}): Audit {
    const keys = new AppKeys(Object.assign(readSettings('test', {}), { appSecret }));
    const lines = pino(
      { base: null, timestamp: false },
      { write: (line: string) => void this.logged.push(JSON.parse(line)) },
    );
    const signals = new AuditSignals(lines, readSettings('test', { AUDIT_TO_LOG: 'yes' }), new Registry());
    return new Audit(units, clock, keys, pino({ level: 'silent' }), signals);
  }

  /** Does some work with the audit of a service that has started, and stops that. */
  async untilStop(work: (audit: Audit) => Promise<void> | void): Promise<void> {
    const ending = await Writer.open(dialectFor(this.database.address));
    const audit = this.audit({ units: new UnitOfWork(ending) });
    audit.onApplicationBootstrap();
    await work(audit);
    await ending.onApplicationShutdown();
  }

  /** All events, in their order. */
  rows(): Promise<Row[]> {
    return this.units.run((manager) => select<Row>(manager, 'SELECT * FROM auth_events ORDER BY id'));
  }

  async close(): Promise<void> {
    await this.writer.onApplicationShutdown();
    await this.database.drop();
  }
}
