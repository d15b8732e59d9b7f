import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Job } from '../../common/jobs/job.decorator.js';
import { LOG } from '../../common/logging/logging.module.js';
import { packageInfo } from '../../common/package-info.js';
import { Dialect } from '../dialect/dialect.js';
import { Leases } from '../leases/leases.js';
import { MIGRATION_NAMES } from '../schema/migrate.js';
import { Reads } from '../statements/reads.js';
import { execute } from '../statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../units/unit-of-work.js';
import { DEAD_AFTER_MS, instancesIn, type FoundInstance } from './found-instances.js';

const BEAT_EVERY_MS = 10_000;
const MAX_HOST = 255;

/**
 * Registers this process as an instance once it answers requests; commands are no instances. One that is alone on a
 * file of SQLite only reads, so that a service with nothing to do writes nothing.
 */
@Injectable()
export class Instances implements OnModuleDestroy {
  private isRegistered = false;

  constructor(
    private readonly units: UnitOfWork,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly leases: Leases,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** This one, as it stands in the table and in the leases that it has. */
  get id(): string {
    return this.leases.owner;
  }

  /** Those that live, the oldest first. */
  async living(): Promise<readonly FoundInstance[]> {
    return (await this.all()).filter(({ id, isSeen }) => isSeen || id === this.id);
  }

  @Job({ name: 'instances.register', once: 'listening', failure: 'this instance could not be registered' })
  async register(): Promise<void> {
    const dead = `DELETE FROM instances WHERE seen_at < ${this.dialect.now} - ${DEAD_AFTER_MS}`;
    await this.units.run(async (manager) => {
      await execute(manager, dead);
      await this.insert(manager);
    }, REPEATABLE);
    this.isRegistered = true;
  }

  @Job({ name: 'instances.beat', every: BEAT_EVERY_MS, failure: 'this instance could not say that it lives' })
  async beat(): Promise<void> {
    if (!this.isRegistered || (await this.isAloneOnFile())) return;
    const sql = `UPDATE instances SET seen_at = ${this.dialect.now} WHERE id = ?`;
    await this.units.run(async (manager) => {
      // Another one has taken this one for dead, after a pause or beside a quiet one on a file.
      if ((await execute(manager, sql, [this.id])).affected === 0) await this.insert(manager);
    }, REPEATABLE);
  }

  /** After all jobs have ended, and before the connections do. */
  async onModuleDestroy(): Promise<void> {
    if (!this.isRegistered) return;
    try {
      await this.units.run((manager) => execute(manager, 'DELETE FROM instances WHERE id = ?', [this.id]), REPEATABLE);
    } catch (err) {
      this.log.warn({ err }, 'this instance could not say goodbye: it counts as dead in a minute');
    }
  }

  private all(): Promise<readonly FoundInstance[]> {
    return instancesIn(this.reads, this.dialect);
  }

  private async isAloneOnFile(): Promise<boolean> {
    if (!this.dialect.hasOneWriter) return false;
    return (await this.all()).every(({ id, isSeen }) => id === this.id || !isSeen);
  }

  private async insert(manager: EntityManager): Promise<void> {
    const { now } = this.dialect;
    await execute(
      manager,
      `INSERT INTO instances (id, version, schema_name, host, started_at, seen_at) VALUES (?, ?, ?, ?, ${now}, ${now})`,
      [this.id, packageInfo().version, MIGRATION_NAMES.at(-1) ?? '', hostname().slice(0, MAX_HOST)],
    );
  }
}
