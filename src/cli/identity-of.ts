import type { Dialect } from '../database/dialect/dialect.js';
import { readerOf } from '../database/statements/reads.js';
import { Writer } from '../database/statements/writer.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { DatabaseIdentity, identityIn } from '../search/opensearch/database-identity.js';
import { withSnapshot } from '../transfer/backup/snapshot.js';
import { TransferError } from '../transfer/transfer-error.js';

/**
 * The identity of a database, which is written where there is none yet.
 *
 * @throws {TransferError} when the tables are not those of this version, or it cannot be written
 */
export async function identityOf(dialect: Dialect): Promise<string> {
  const found = await withSnapshot(dialect, ({ runner }) => identityIn(readerOf(runner.manager)));
  return found ?? (await written(dialect));
}

async function written(dialect: Dialect): Promise<string> {
  try {
    const writer = await Writer.open(dialect);
    const identity = new DatabaseIdentity(
      readerOf(writer.source.manager),
      new UnitOfWork(writer),
      dialect.insertOrIgnore,
    );
    return await identity.read().finally(() => writer.onApplicationShutdown());
  } catch (error) {
    throw new TransferError(
      'output_unwritable',
      `The database ${dialect.label} has no identity yet, by which its backups are named, and it could not be written. Run this once with an account that may write, or leave --keep out.`,
      { cause: error },
    );
  }
}
