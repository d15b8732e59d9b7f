import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { JobLeases } from '../../common/jobs/job-leases.js';
import { Job } from '../../common/jobs/job.decorator.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Dialect } from '../dialect/dialect.js';
import { Reads } from '../statements/reads.js';
import { withFence } from '../units/fence.js';
import { UnitOfWork } from '../units/unit-of-work.js';
import { leasesIn, type FoundLease } from './found-leases.js';
import { LeaseTable, type HeldLease } from './lease-table.js';
import { OwnLease } from './own-lease.js';

const KEEP_EVERY_MS = 5_000;

/** Another process may have the lease, so the unit of work is undone. */
class LeaseLostError extends Error {}

/**
 * The leases of this process (ADR 33). Those of a server are renewed each five seconds, and not relied on ten seconds
 * after the beginning of the last renewal. Those of a file are only read, so that a service with nothing to do writes
 * nothing: when their fifteen seconds are over another process takes them, if there is one.
 */
@Injectable()
export class Leases extends JobLeases {
  /** This process, in the rows of its leases. */
  readonly owner = randomUUID();
  private readonly table: LeaseTable;
  private readonly sought = new Set<string>();
  private readonly own = new Map<string, OwnLease>();

  constructor(
    units: UnitOfWork,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    @Inject(LOG) private readonly log: Logger,
  ) {
    super();
    this.table = new LeaseTable(units, dialect);
  }

  /** The leases that this process is sure to have. */
  get held(): readonly HeldLease[] {
    return [...this.own.values()].filter(({ isSure }) => isSure).map(({ held }) => held);
  }

  /** All leases of the database that were ever taken, by name. */
  all(): Promise<readonly FoundLease[]> {
    return leasesIn(this.reads, this.dialect);
  }

  override seek(name: string): void {
    this.sought.add(name);
  }

  override async run(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const own = this.own.get(name);
    if (!own?.isSure) return;
    const { held, doubted } = own;
    const hold = async (manager: EntityManager): Promise<void> => {
      if (doubted.aborted || !(await this.table.hold(manager, held))) throw new LeaseLostError();
    };
    try {
      await withFence(hold, () => work(AbortSignal.any([signal, doubted])));
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      this.log.info({ lease: name }, 'another instance goes on with a job, the last step here was undone');
    }
  }

  /** Renews what this process has, and takes what is free. */
  @Job({ name: 'leases.keep', every: KEEP_EVERY_MS, once: 'started', failure: 'leases could not be renewed' })
  async keep(): Promise<void> {
    const begunAt = performance.now();
    const found = await this.all();
    this.compare(found);
    for (const name of await this.renewed()) this.own.get(name)?.confirm(begunAt);
    const taken = new Set(found.filter(({ isFree }) => !isFree).map(({ name }) => name));
    await this.take([...this.sought].filter((name) => !this.own.has(name) && !taken.has(name)));
  }

  override async giveBack(): Promise<void> {
    const held = [...this.own.values()].map((own) => own.held);
    for (const own of this.own.values()) own.drop();
    this.own.clear();
    if (held.length > 0) await this.table.giveBack(held);
  }

  /** Brings what this process believes to have into line with the rows. */
  private compare(found: readonly FoundLease[]): void {
    const epochs = new Map(found.filter(({ owner }) => owner === this.owner).map(({ name, epoch }) => [name, epoch]));
    for (const [name, own] of this.own) {
      if (epochs.get(name) === own.held.epoch) epochs.delete(name);
      else this.lose(name, own);
    }
    // Taken by a unit whose answer was lost.
    for (const [name, epoch] of epochs) this.own.set(name, new OwnLease({ name, owner: this.owner, epoch }));
  }

  /** The names of those that are this process's for another while. */
  private async renewed(): Promise<readonly string[]> {
    if (this.dialect.hasOneWriter || this.own.size === 0) return [...this.own.keys()];
    return this.table.renew([...this.own.values()].map(({ held }) => held));
  }

  private lose(name: string, own: OwnLease): void {
    own.drop();
    this.own.delete(name);
  }

  private async take(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const begunAt = performance.now();
    for (const held of await this.table.take(this.owner, names)) {
      const own = new OwnLease(held);
      own.confirm(begunAt);
      this.own.set(held.name, own);
    }
  }
}
