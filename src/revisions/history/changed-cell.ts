import { DamagedSnapshot } from '../snapshots/stored-snapshot.js';

/**
 * The names that a revision keeps of what its write has changed.
 *
 * @param json the column `changed`
 * @throws {DamagedSnapshot} it is no list of names
 */
export function changedIn(json: string): readonly string[] {
  const names = parsed(json);
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new DamagedSnapshot('What it changed cannot be read.');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
