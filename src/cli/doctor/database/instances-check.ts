import { instancesIn, type FoundInstance } from '../../../database/instances/found-instances.js';
import { leasesIn } from '../../../database/leases/found-leases.js';
import { MIGRATION_NAMES } from '../../../database/schema/migrate.js';
import { Reads } from '../../../database/statements/reads.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

/** Which processes of the service there are, and what each does for all. One that is dead is no fault; an old one that lives on is. */
export const instancesCheck: Check<OpenDatabase> = {
  name: 'instances',
  async look({ source, dialect }) {
    const reads = new Reads(source);
    const found = await instancesIn(reads, dialect);
    const leases = await leasesIn(reads, dialect);
    // One that is alone on a file does not say that it lives.
    const shown = dialect.hasOneWriter ? found : found.filter(({ isSeen }) => isSeen);
    if (shown.length === 0) return [{ ok: true, message: 'none is running' }];
    return shown.map((instance) => {
      const own = leases.filter(({ owner, untilAt }) => owner === instance.id && untilAt > 0);
      return sentence(
        instance,
        own.map(({ name }) => name),
      );
    });
  },
};

function sentence(instance: FoundInstance, leases: readonly string[]): CheckResult {
  const { host, version, schemaName, startedAt, seenAt } = instance;
  const newest = MIGRATION_NAMES.at(-1) ?? '';
  // What this version does not know is of a newer one.
  const isOlder = MIGRATION_NAMES.includes(schemaName) && schemaName !== newest;
  if (instance.isSeen && isOlder) {
    const message = `${host}: version ${version} runs on, and knows none of the tables since ${schemaName} (the newest is ${newest}). Replace it soon.`;
    return { ok: false, message };
  }
  const times = `started ${iso(startedAt)}, last seen ${iso(seenAt)}`;
  const work = leases.length > 0 ? `, does ${leases.join(', ')} for all` : '';
  return { ok: true, message: `${host}: version ${version} with ${schemaName}, ${times}${work}` };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
