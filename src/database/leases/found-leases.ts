import type { Dialect } from '../dialect/dialect.js';
import type { Reader } from '../statements/reads.js';
import type { HeldLease } from './lease-table.js';

/** A lease as its row says. */
export interface FoundLease extends HeldLease {
  /** Whether another process may take it now. */
  readonly isFree: boolean;
  /** From when on one may: milliseconds since 1970, UTC, by the clock of the database; 0: it was given back. */
  readonly untilAt: number;
}

interface Row {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number | string;
  readonly until_at: number | string;
  /** 1 or 0. */
  readonly is_free: number | string;
}

/** All leases that were ever taken, by name. There is one for each kind of work, so they are few. */
export async function leasesIn(reader: Reader, dialect: Dialect): Promise<readonly FoundLease[]> {
  const rows = await reader.select<Row>(
    `SELECT name, owner, epoch, until_at, until_at < ${dialect.now} AS is_free FROM leases ORDER BY name`,
  );
  return rows.map(({ name, owner, epoch, until_at: untilAt, is_free: isFree }) => ({
    name,
    owner,
    epoch: Number(epoch),
    untilAt: Number(untilAt),
    isFree: Number(isFree) === 1,
  }));
}
