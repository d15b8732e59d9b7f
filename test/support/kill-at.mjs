import { createRequire } from 'node:module';

/**
 * Loaded before a service (`NODE_OPTIONS=--import=…`): ends its process as `kill -9` does, at a statement to its database.
 * `KILL_AT` is JSON: `{"at": ["INSERT", "COMMIT"], "when": "answered"}` ends it when the statements were met in this
 * order and the last one was answered; `"asked"`: before the last one is sent.
 */
const require = createRequire(import.meta.url);
const { at, when } = JSON.parse(process.env.KILL_AT);
let met = 0;

/** Several statements may come as one text. */
function isLast(sql) {
  if (met === at.length) return false;
  for (let place = 0; met < at.length; met += 1) {
    place = sql.indexOf(at[met], place);
    if (place < 0) return false;
  }
  return true;
}

function end() {
  process.kill(process.pid, 'SIGKILL');
}

/** Both versions: which one is used depends on that of Node. */
for (const name of ['better-sqlite3', 'better-sqlite3-13']) {
  let Database;
  try {
    Database = require(name);
  } catch {
    continue;
  }
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function prepared(sql) {
    const statement = prepare.call(this, sql);
    for (const method of ['run', 'all', 'get']) {
      const call = statement[method].bind(statement);
      statement[method] = (...values) => {
        const isIt = isLast(sql);
        if (isIt && when === 'asked') end();
        const result = call(...values);
        if (isIt) end();
        return result;
      };
    }
    return statement;
  };
}

const { Connection } = require('mysql2');
const { query } = Connection.prototype;
Connection.prototype.query = function asked(sql, values, callback) {
  const text = typeof sql === 'string' ? sql : String(sql.sql);
  if (!isLast(text)) return query.call(this, sql, values, callback);
  if (when === 'asked') end();
  const answer = typeof values === 'function' ? values : callback;
  const ended = (...results) => {
    end();
    answer?.(...results);
  };
  return typeof values === 'function' ? query.call(this, sql, ended) : query.call(this, sql, values, ended);
};
