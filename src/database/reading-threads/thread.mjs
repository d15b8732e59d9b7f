// Runs statements of a read-only connection one after the other, away from the thread that answers requests.
// Plain JavaScript, because a thread loads its file by itself, from the sources as well as from dist.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const Database = createRequire(import.meta.url)(workerData.driver);
const connection = new Database(workerData.file, {
  readonly: true,
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

function run(sql, values) {
  const statement = prepared(sql);
  return statement.reader ? statement.all(...values) : void statement.run(...values);
}

parentPort.on('message', ({ id, sql, values }) => {
  try {
    parentPort.postMessage({ id, rows: run(sql, values) });
  } catch (error) {
    parentPort.postMessage({ id, failure: { message: error.message, code: error.code } });
  }
});
