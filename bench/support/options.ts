import { databaseUrl, type DatabaseAddress } from '../../src/config/database-url.js';
import { Faults } from '../../src/config/setting-parsers.js';

/** Everything that is made here, all of it kept out of git. */
export const DATA_DIR = 'bench/.data';

const { env } = process;

/** Size of the measurement. Figures that are to be compared need the same. */
export const POSTS = Number(env.BENCH_POSTS ?? 100_000);
/** How often A and B take turns. */
export const ROUNDS = Number(env.BENCH_ROUNDS ?? 5);
/** Length of one turn. */
export const SECONDS = Number(env.BENCH_SECONDS ?? 4);
export const CONNECTIONS = 10;

/** Only cases whose title has this in it; empty: all. */
export const ONLY = env.BENCH_ONLY ?? '';
export const LOG_LEVEL = env.LOG_LEVEL ?? 'info';

export const DATABASE_URL = env.DATABASE_URL ?? `sqlite:${DATA_DIR}/posts-${POSTS}.sqlite`;

export const TOKEN = 'bench-token-0123456789abcdef';

/** The database that is measured. */
export function databaseAddress(): DatabaseAddress {
  const faults = new Faults();
  const address = databaseUrl(DATABASE_URL, faults);
  if (faults.all.length > 0) throw new Error(faults.all.join('\n'));
  return address;
}
