import type { DatabaseAddress } from '../config/values/database-url.js';
import type { Dialect } from './dialect/dialect.js';
import { MysqlDialect } from './mysql/mysql-dialect.js';
import { SqliteDialect } from './sqlite/sqlite-dialect.js';

export function dialectFor(address: DatabaseAddress): Dialect {
  return address.kind === 'sqlite'
    ? new SqliteDialect(address.file)
    : new MysqlDialect(address.url, address.label, address.tls, address.pool);
}
