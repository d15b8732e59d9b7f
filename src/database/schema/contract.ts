import { DomainError } from '../../common/errors/domain-error.js';
import { instancesIn, type FoundInstance } from '../instances/found-instances.js';
import { contractions } from '../migrations/index.js';
import { Reads } from '../statements/reads.js';
import type { Writer } from '../statements/writer.js';
import { migrate, runContractions } from './migrate.js';

/**
 * Brings the tables up to date, contractions included. Versions before those do not work on them any more.
 *
 * @param report is called with the name of each migration that ran
 * @throws {DomainError} `not_ready`: an instance lives that still needs what would be taken away; no contraction has run
 */
export async function contract(writer: Writer, report?: (name: string) => void): Promise<void> {
  await migrate(writer, report);
  const older = await olderInstances(
    writer,
    contractions.map((Contraction) => new Contraction().since),
  );
  if (older.length > 0) throw refusal(older);
  await runContractions(writer, report);
}

/**
 * The living instances of versions before any of these.
 *
 * @param versions `1.4.0`
 */
export async function olderInstances(
  { source, dialect }: Writer,
  versions: readonly string[],
): Promise<readonly FoundInstance[]> {
  const found = await instancesIn(new Reads(source), dialect);
  // One that is alone on a file does not say that it lives.
  const living = dialect.hasOneWriter ? found : found.filter(({ isSeen }) => isSeen);
  return living.filter(({ version }) => versions.some((other) => isBefore(version, other)));
}

function refusal(older: readonly FoundInstance[]): DomainError {
  const names = older.map(({ host, version }) => `${host} (version ${version})`).join(', ');
  return new DomainError(
    'not_ready',
    `Instances of older versions are running, which would break: ${names}. Replace them first; one that was killed counts for a minute, on a file of SQLite until the next start.`,
  );
}

/** Whether a version is an earlier one: 1.9.0 is before 1.10.0. What stands behind a hyphen does not count. */
function isBefore(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) => text.replace(/-.*/, '').split('.').map(Number));
  const index = [0, 1, 2].find((part) => (one?.[part] ?? 0) !== (two?.[part] ?? 0));
  return index !== undefined && (one?.[index] ?? 0) < (two?.[index] ?? 0);
}
