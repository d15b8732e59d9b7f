import type { EntityManager } from 'typeorm';
import type { Dialect } from '../dialect/dialect.js';
import { execute, placeholders, select, type SqlValue } from '../statements/statement.js';
import { REPEATABLE, type UnitOfWork } from '../units/unit-of-work.js';

/** So long another process leaves a lease alone that is not renewed. */
const LEASE_MS = 15_000;

/** A lease as its holder knows it. */
export interface HeldLease {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
}

interface Row {
  readonly name: string;
  readonly epoch: number | string;
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

  /**
   * Leases whose rows are locked, as by a process that stands still within a unit of work, are left for later.
   *
   * @returns those of the leases that were free and are of this owner now, in epochs of their own
   */
  take(owner: string, names: readonly string[]): Promise<readonly HeldLease[]> {
    return this.units.run(async (manager) => {
      const known = await this.known(manager, names);
      const taken = await this.takeFree(manager, owner, known);
      // In one order, so that two processes do not wait for each other in a circle.
      for (const name of names.filter((one) => !known.includes(one)).toSorted()) {
        if (await this.add(manager, owner, name)) taken.push({ name, owner, epoch: 1 });
      }
      return taken;
    }, REPEATABLE);
  }

  /**
   * A lease whose row is locked is left for later: its own work has it, and has renewed it.
   *
   * @returns the names of those that were renewed; another one was taken by another process, or is locked
   */
  renew(held: readonly HeldLease[]): Promise<readonly string[]> {
    return this.units.run(async (manager) => {
      const names = (await this.locked(manager, anyOf(held), held.flatMap(valuesOf))).map(({ name }) => name);
      if (names.length > 0) {
        const sql = `UPDATE leases SET until_at = ${this.until} WHERE name IN (${placeholders(names)})`;
        await execute(manager, sql, names);
      }
      return names;
    }, REPEATABLE);
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

  /** Those of the leases that were ever taken. */
  private async known(manager: EntityManager, names: readonly string[]): Promise<readonly string[]> {
    const sql = `SELECT name FROM leases WHERE name IN (${placeholders(names)})`;
    return (await select<Pick<Row, 'name'>>(manager, sql, names)).map(({ name }) => name);
  }

  private async takeFree(manager: EntityManager, owner: string, names: readonly string[]): Promise<HeldLease[]> {
    if (names.length === 0) return [];
    const condition = `name IN (${placeholders(names)}) AND until_at < ${this.dialect.now}`;
    const free = await this.locked(manager, condition, names);
    if (free.length === 0) return [];
    const which = placeholders(free);
    const sql = `UPDATE leases SET owner = ?, epoch = epoch + 1, until_at = ${this.until} WHERE name IN (${which})`;
    await execute(manager, sql, [owner, ...free.map(({ name }) => name)]);
    return free.map(({ name, epoch }) => ({ name, owner, epoch: Number(epoch) + 1 }));
  }

  /** Locks the rows for which a condition holds, but for those that another unit of work has locked. */
  private locked(manager: EntityManager, condition: string, values: readonly SqlValue[]): Promise<Row[]> {
    const sql = `SELECT name, epoch FROM leases WHERE ${condition} ORDER BY name${this.dialect.lockUnlocked}`;
    return select<Row>(manager, sql, values);
  }

  /** @returns whether no other process was faster */
  private async add(manager: EntityManager, owner: string, name: string): Promise<boolean> {
    const sql = `${this.dialect.insertOrIgnore} INTO leases (name, owner, epoch, until_at) VALUES (?, ?, 1, ${this.until})`;
    return (await execute(manager, sql, [name, owner])).affected > 0;
  }
}

function anyOf(held: readonly HeldLease[]): string {
  return held.map(() => `(${HELD})`).join(' OR ');
}

function valuesOf({ name, owner, epoch }: HeldLease): (string | number)[] {
  return [name, owner, epoch];
}
