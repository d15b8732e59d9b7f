import { instancesIn } from '../../../database/instances/found-instances.js';
import { leasesIn, type FoundLease } from '../../../database/leases/found-leases.js';
import { LeaseTable } from '../../../database/leases/lease-table.js';
import type { Dialect } from '../../../database/dialect/dialect.js';
import { Reads } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

/** Leases are given for 15 s and asked for each five. */
const SLACK_MS = 60_000;

/** Whether what one instance does for all is done by one. */
export const leasesCheck: Check<OpenDatabase> = {
  name: 'leases',
  async look(database) {
    const { held, idle } = await faultsIn(database);
    const faults = [...held.map(heldSeen), ...idle.map(idleSeen)];
    return faults.length > 0 ? faults : [{ ok: true, message: 'each is held by one that lives, or free' }];
  },
  async repair(database, service) {
    const { held } = await faultsIn(database);
    if (held.length === 0) return [];
    await new LeaseTable(await service.get(UnitOfWork), database.dialect).giveBack(held);
    return held.map(({ name }) => `the lease ${name} is free again`);
  },
};

interface Faults {
  /** Until a time to which no instance would have taken it. */
  readonly held: readonly FoundLease[];
  /** Taken by none, although there are instances. */
  readonly idle: readonly FoundLease[];
}

async function faultsIn({ source, dialect }: OpenDatabase): Promise<Faults> {
  const reads = new Reads(source);
  const now = await timeOf(reads, dialect);
  const leases = await leasesIn(reads, dialect);
  const held = leases.filter(({ untilAt }) => untilAt > now + SLACK_MS);
  // On a file leases are taken and not renewed.
  if (dialect.hasOneWriter) return { held, idle: [] };
  const instances = await instancesIn(reads, dialect);
  const isServed = instances.some(({ isSeen, startedAt }) => isSeen && startedAt < now - SLACK_MS);
  // 0 is a lease that was given back, at some time.
  const free = leases.filter(({ untilAt }) => untilAt > 0 && untilAt < now - SLACK_MS);
  return { held, idle: isServed ? free : [] };
}

async function timeOf(reads: Reads, dialect: Dialect): Promise<number> {
  const [row] = await reads.select<{ now: number | string }>(`SELECT ${dialect.now} AS now`);
  return Number(row?.now);
}

function heldSeen({ name, untilAt }: FoundLease): CheckResult {
  const until = new Date(untilAt).toISOString();
  return {
    ok: false,
    message: `The lease ${name} is held until ${until}, as a clock of the database had it that was ahead: its jobs rest until then. Run: npm run cli -- doctor --repair.`,
  };
}

function idleSeen({ name }: FoundLease): CheckResult {
  return {
    ok: false,
    message: `No instance takes the lease ${name}, so its jobs rest. Look for "leases could not be renewed" in the logs, and restart the instances.`,
  };
}
