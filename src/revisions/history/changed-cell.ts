import { DamagedSnapshotError } from '../snapshots/stored-snapshot.js';

/**
 * The names that a revision keeps of what its write has changed.
 *
 * @param json the column `changed`
 * @throws {DamagedSnapshotError} it is no list of names
 */
export function changedIn(json: string): readonly string[] {
  const names = parsed(json);
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new DamagedSnapshotError('What it changed cannot be read.');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
