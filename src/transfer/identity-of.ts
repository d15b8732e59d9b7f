import { randomBytes } from 'node:crypto';
import type { Dialect } from '../database/dialect/dialect.js';
import { readerOf, type Reader } from '../database/statements/reads.js';
import { execute } from '../database/statements/statement.js';
import { Writer } from '../database/statements/writer.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { withSnapshot } from './backup/snapshot.js';
import { TransferError } from './transfer-error.js';

const BYTES = 8;

/**
 * The identity of a database, such as `'5f1c02ab9e3d4471'`. It is written when there is none yet.
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
    return await write(writer).finally(() => writer.onApplicationShutdown());
  } catch (error) {
    throw new TransferError(
      'output_unwritable',
      `The database ${dialect.label} has no identity yet, by which its backups are named, and it could not be written. Run this once with an account that may write, or leave --keep out.`,
      { cause: error },
    );
  }
}

async function write(writer: Writer): Promise<string> {
  const sql = `${writer.dialect.insertOrIgnore} INTO database_identity (id, identity) VALUES (1, ?)`;
  await new UnitOfWork(writer).run((manager) => execute(manager, sql, [randomBytes(BYTES).toString('hex')]));
  // Of several processes that begin together, one leaves its own.
  const left = await identityIn(readerOf(writer.source.manager));
  if (left === null) throw new Error('The identity of the database was not written.');
  return left;
}

async function identityIn(reader: Reader): Promise<string | null> {
  const [row] = await reader.select<{ identity: string }>('SELECT identity FROM database_identity WHERE id = 1');
  return row?.identity ?? null;
}
