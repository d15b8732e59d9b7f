import { readDatabase } from '../../src/config/settings.js';
import type { DatabaseAddress } from '../../src/config/values/database-url.js';

/** Everything that is made here, all of it kept out of git. */
export const DATA_DIR = 'bench/.data';

const { env } = process;

/** Size of the measurement. Figures that are to be compared need the same. */
export const POSTS = Number(env.BENCH_POSTS ?? 100_000);
/** Number of turns of A and B. */
export const ROUNDS = Number(env.BENCH_ROUNDS ?? 5);
/** Length of one turn. */
export const SECONDS = Number(env.BENCH_SECONDS ?? 4);
export const CONNECTIONS = 10;

/** Only cases whose title has this in it; empty: all. */
export const ONLY = env.BENCH_ONLY ?? '';
export const LOG_LEVEL = env.LOG_LEVEL ?? 'info';

export const DATABASE_URL = env.DATABASE_URL ?? `sqlite:${DATA_DIR}/posts-${POSTS}.sqlite`;

export const TOKEN = 'bench-token-0123456789abcdef';

/** A database, and how many posts it is to hold. */
export interface Seed {
  readonly url: string;
  readonly size: number;
}

/** The default content of a measurement. */
export const DEFAULT_SEED: Seed = { url: DATABASE_URL, size: POSTS };

/** A database of another size beside the one that is measured. */
export function seedOf(size: number): Seed {
  const url = DATABASE_URL.startsWith('sqlite:')
    ? `sqlite:${DATA_DIR}/posts-${size}.sqlite`
    : DATABASE_URL.replace(/(?=\?|$)/, `_${size}`);
  return { url, size };
}

export function databaseAddress(url: string): DatabaseAddress {
  return readDatabase('development', { DATABASE_URL: url });
}
