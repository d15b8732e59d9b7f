import type { DataSource } from 'typeorm';
import type { Dialect } from '../dialect/dialect.js';
import { readerOf, type Reader } from './reads.js';

/** Reads with several statements what was true at one moment, whatever others write meanwhile. Short: a file keeps all since then. */
export async function withConsistentSnapshot<Result>(
  source: DataSource,
  dialect: Dialect,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const runner = source.createQueryRunner();
  try {
    await dialect.beginSnapshot(runner);
    try {
      return await work(readerOf(runner.manager));
    } finally {
      await dialect.rollback(runner);
    }
  } finally {
    await runner.release();
  }
}
