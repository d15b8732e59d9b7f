import type { EntityManager } from 'typeorm';
import type { Dialect } from '../dialect/dialect.js';
import { execute, select } from '../statements/statement.js';
import { REPEATABLE, type UnitOfWork } from '../units/unit-of-work.js';

/** So long another process leaves a lease alone that is not renewed. */
const LEASE_MS = 15_000;

/** A lease as its holder knows it. */
export interface HeldLease {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
}

const HELD = 'name = ? AND owner = ? AND epoch = ?';

/** The rows of leases. Their times are those of the clock of the database, whatever the clocks of processes say. */
export class LeaseTable {
  private readonly until: string;

  constructor(
    private readonly units: UnitOfWork,
    private readonly dialect: Dialect,
  ) {
    this.until = `${dialect.now} + ${LEASE_MS}`;
  }

  /** @returns those of the leases that were free and are of this owner now, in epochs of their own */
  take(owner: string, names: readonly string[]): Promise<readonly HeldLease[]> {
    return this.units.run(async (manager) => {
      const taken: HeldLease[] = [];
      // In one order, so that two processes do not wait for each other in a circle.
      for (const name of names.toSorted()) {
        const epoch = await this.takeOne(manager, owner, name);
        if (epoch !== null) taken.push({ name, owner, epoch });
      }
      return taken;
    }, REPEATABLE);
  }

  /** @returns whether all of them were renewed; otherwise another process has taken one of them */
  renew(held: readonly HeldLease[]): Promise<boolean> {
    const sql = `UPDATE leases SET until_at = ${this.until} WHERE ${anyOf(held)}`;
    return this.units.run(
      async (manager) => (await execute(manager, sql, held.flatMap(valuesOf))).affected === held.length,
      REPEATABLE,
    );
  }

  /** Lets other processes take them at once. Those that another process has taken stay its own. */
  async giveBack(held: readonly HeldLease[]): Promise<void> {
    const sql = `UPDATE leases SET until_at = 0 WHERE ${anyOf(held)}`;
    await this.units.run((manager) => execute(manager, sql, held.flatMap(valuesOf)), REPEATABLE);
  }

  /**
   * Holds a lease until the unit of work ends, so that the unit is committed before another process takes it, or not at
   * all. A file has one lock for all units, and reading says enough there; a server is written to.
   *
   * @returns whether it is still held
   */
  async hold(manager: EntityManager, held: HeldLease): Promise<boolean> {
    const values = valuesOf(held);
    if (this.dialect.hasOneWriter)
      return (await select(manager, `SELECT name FROM leases WHERE ${HELD}`, values)).length > 0;
    return (await execute(manager, `UPDATE leases SET until_at = ${this.until} WHERE ${HELD}`, values)).affected > 0;
  }

  /** @returns the epoch; `null`: another process has it */
  private async takeOne(manager: EntityManager, owner: string, name: string): Promise<number | null> {
    const take = `UPDATE leases SET owner = ?, epoch = epoch + 1, until_at = ${this.until}
                   WHERE name = ? AND until_at < ${this.dialect.now}`;
    if ((await execute(manager, take, [owner, name])).affected > 0) return epochOf(manager, name);
    const insert = `${this.dialect.insertOrIgnore} INTO leases (name, owner, epoch, until_at) VALUES (?, ?, 1, ${this.until})`;
    return (await execute(manager, insert, [name, owner])).affected > 0 ? 1 : null;
  }
}

async function epochOf(manager: EntityManager, name: string): Promise<number> {
  const [row] = await select<{ epoch: number | string }>(manager, 'SELECT epoch FROM leases WHERE name = ?', [name]);
  return Number(row?.epoch);
}

function anyOf(held: readonly HeldLease[]): string {
  return held.map(() => `(${HELD})`).join(' OR ');
}

function valuesOf({ name, owner, epoch }: HeldLease): (string | number)[] {
  return [name, owner, epoch];
}
