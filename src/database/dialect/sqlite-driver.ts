import { createRequire } from 'node:module';
import { succeeds } from '../../common/succeeds.js';

/** The first version of Node that the prebuilt driver is made for. */
const PREBUILT_SINCE = 22;

/**
 * better-sqlite3 for this Node: 12 is compiled for one version of Node and ends the process when that was 24.19 to 24.21,
 * 13 comes ready-made for Node 22 and later and crashes on Node 20 (docs/adr/0019).
 */
export function sqliteDriver(): unknown {
  const require = createRequire(import.meta.url);
  return require(sqliteDriverName());
}

/** The package that {@link sqliteDriver} loads, for threads, which have to load it themselves. */
export function sqliteDriverName(): string {
  const require = createRequire(import.meta.url);
  // npm passes over an optional dependency that it cannot install.
  const major = Number(process.versions.node.split('.')[0]);
  return major >= PREBUILT_SINCE && succeeds(() => require.resolve('better-sqlite3-13'))
    ? 'better-sqlite3-13'
    : 'better-sqlite3';
}
