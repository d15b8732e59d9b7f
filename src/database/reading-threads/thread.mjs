// Runs statements of one connection, mostly a read-only one, one after the other, away from the thread that answers requests.
// Plain JavaScript, because a thread loads its file by itself, from the sources as well as from dist.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const Database = createRequire(import.meta.url)(workerData.driver);
const connection = new Database(workerData.file, {
  readonly: workerData.isReadOnly,
  fileMustExist: true,
  timeout: workerData.timeoutMs,
});
connection.pragma(`cache_size = -${workerData.cacheKiB}`);

const MAX_KEPT = 200;
const kept = new Map();

function prepared(sql) {
  const statement = kept.get(sql) ?? connection.prepare(sql);
  kept.delete(sql);
  kept.set(sql, statement);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value);
  return statement;
}

function select(sql, values) {
  const statement = prepared(sql);
  return statement.reader ? statement.raw(false).all(...values) : void statement.run(...values);
}

/** What a module exports, run within one state of the file: all of what it writes is there afterwards, or nothing. */
async function call(module, argument) {
  const { run } = await import(module);
  connection.exec('BEGIN');
  try {
    const state = String(connection.pragma('data_version', { simple: true }));
    const result = run({ state, prepare: prepared }, argument);
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures have undone everything already.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

parentPort.on('message', async ({ id, sql, values, module, argument }) => {
  try {
    const result = module === undefined ? select(sql, values) : await call(module, argument);
    parentPort.postMessage({ id, result });
  } catch (error) {
    parentPort.postMessage({ id, failure: { message: error.message, code: error.code } });
  }
});

// Nothing was asked under this number: it says that the file is open.
parentPort.postMessage({ id: 0 });
