import { QueryFailedError } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { tooLarge } from './packet-limit.js';

/** Driver codes for "a row with this unique key exists". */
const UNIQUE_VIOLATION = new Set([
  'SQLITE_CONSTRAINT_UNIQUE', // better-sqlite3
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'ER_DUP_ENTRY', // mysql2
]);

/** Another process holds a lock of SQLite. */
const LOCKED = new Set(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY_TIMEOUT']);

/** The unit lost against another one and can be run again as a whole. */
const RETRYABLE = new Set([
  ...LOCKED,
  'ER_LOCK_DEADLOCK', // 1213
  'ER_LOCK_WAIT_TIMEOUT', // 1205: InnoDB undoes only the statement, so the whole unit is undone and run again
  'ER_ERROR_DURING_COMMIT', // 1180
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT', // 3101: Group Replication refuses at the commit
  'ER_CHECKREAD', // 1020: snapshot isolation of MariaDB 11.6 and later
]);

/** Tells whether a statement has waited for a lock in vain: of rows, or of a table that a transaction uses. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === 'ER_LOCK_WAIT_TIMEOUT';
}

/** A server that takes no writes, as after a failover, or is about to be left: others know more than it answers. */
const LEAVING = new Set([
  'ER_OPTION_PREVENTS_STATEMENT', // 1290
  'ER_READ_ONLY_MODE', // 1836
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', // 1792
  'ER_UNKNOWN_COM_ERROR', // 1047: a Galera node that has left its cluster
  'ER_SERVER_SHUTDOWN', // 1053
]);

/** The server is gone, or cannot be reached. */
const LOST = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'SERVER_UNREACHABLE',
]);

/** The database cannot be reached, or needed longer than it may. */
const UNAVAILABLE = new Set([
  ...LEAVING,
  ...LOST,
  'POOL_TIMEOUT',
  'HANDSHAKE_SSL_ERROR', // mysql2: the server was lost, or has another certificate, while TLS was agreed on
  'ER_CON_COUNT_ERROR',
  'ER_QUERY_TIMEOUT', // MySQL 3024
  'ER_STATEMENT_TIMEOUT', // MariaDB 1969
  'ER_QUERY_INTERRUPTED', // 1317: an operator has ended the statement
  'ER_CONNECTION_KILLED', // MariaDB 1927
  'ER_ACCESS_DENIED_ERROR', // 1045: the password was changed while the service runs
  'ER_ACCOUNT_HAS_BEEN_LOCKED', // MySQL 3118
  'ER_BULK_PARSER_INCOMPLETE_ESCAPE_SEQUENCE', // 4151: the same on MariaDB; mysql2 has the name that MySQL has for it
  'ER_TOO_MANY_USER_CONNECTIONS', // 1203
  'ER_HOST_IS_BLOCKED', // 1129: after too many connections that broke off
  'ER_CANT_CREATE_THREAD', // 1135
  'ER_USER_LIMIT_REACHED', // 1226
  'ER_CLIENT_INTERACTION_TIMEOUT', // 4031
]);

const STORAGE_FULL = new Set([
  'ER_DISK_FULL', // 1021
  'ER_RECORD_FILE_FULL', // 1114
  'SQLITE_FULL',
]);

/** Pages of SQLite are damaged: `SQLITE_CORRUPT_VTAB` those of the full-text index. */
const CORRUPT = 'SQLITE_CORRUPT';
const CORRUPT_INDEX = 'SQLITE_CORRUPT_VTAB';

/** A statement is longer than the server takes, and than its limit said (`packet-limit.ts`). */
const TOO_LARGE = 'ER_NET_PACKET_TOO_LARGE'; // 1153

/** Errors for which mysql2 has no name. */
const UNNAMED_ERRORS: Readonly<Record<number, string>> = {
  1927: 'ER_CONNECTION_KILLED', // MariaDB
  1969: 'ER_STATEMENT_TIMEOUT', // MariaDB
};

/** The server has broken a statement off, which for a `COMMIT` says nothing of what became of it. */
const BROKEN_OFF = new Set([
  'ER_UNKNOWN_COM_ERROR', // 1047: the node has left its cluster, which may have had the unit before
  'ER_SERVER_SHUTDOWN', // 1053
  'ER_QUERY_INTERRUPTED', // 1317
  'ER_CONNECTION_KILLED', // MariaDB 1927
  'ER_STATEMENT_TIMEOUT', // MariaDB 1969
  'ER_QUERY_TIMEOUT', // MySQL 3024
]);

/** The message of mysql2, without a code, for a statement that it has not sent since the connection was lost before. */
const CLOSED = "Can't add new command when connection is in closed state";

interface DriverError {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly message?: unknown;
  readonly sqlState?: unknown;
}

function driverErrorOf(error: unknown): DriverError {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return source ?? {};
}

function codeOf(error: unknown): string {
  const { code, errno, message } = driverErrorOf(error);
  if (typeof code === 'string') return code;
  if (message === CLOSED) return 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR';
  return typeof errno === 'number' ? (UNNAMED_ERRORS[errno] ?? '') : '';
}

/** Tells whether a failed write broke a unique index. Lets services insert first instead of racing a check. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATION.has(codeOf(error));
}

/** Tells whether a whole unit of work may simply be run again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error));
}

/** Tells whether another process holds a lock that the statement needs. */
export function isLocked(error: unknown): boolean {
  return LOCKED.has(codeOf(error));
}

/** Tells whether a server takes no writes or is about to go, where another one may take over. */
export function isLeaving(error: unknown): boolean {
  return LEAVING.has(codeOf(error));
}

/** Tells whether nothing was asked, since all connections of the pool were busy. */
export function isPoolBusy(error: unknown): boolean {
  return isQueueFull(error) || codeOf(error) === 'POOL_TIMEOUT';
}

function isQueueFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'Queue limit reached.';
}

export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === 'ER_NO_SUCH_TABLE';
}

export function unreachable(): Error {
  return Object.assign(new Error('The server does not answer.'), { code: 'SERVER_UNREACHABLE' });
}

export function noConnection(): Error {
  return Object.assign(new Error('No connection of the pool became free in time.'), { code: 'POOL_TIMEOUT' });
}

/** An error as the driver has it for a statement that it does not send, since the connection is lost. */
export function unsent(): Error & { code: string; fatal: boolean } {
  const message = 'The connection takes no further statements.';
  return Object.assign(new Error(message), { code: 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR', fatal: true });
}

/** Tells whether a driver gave up on a query whose answer may still arrive on its connection. */
export function isQueryTimeout(error: unknown): boolean {
  return codeOf(error) === 'PROTOCOL_SEQUENCE_TIMEOUT';
}

/** Tells whether it is unknown what became of a statement that was sent. Only a server adds a state of SQL to its errors. */
export function isUnanswered(error: unknown): boolean {
  const { sqlState } = driverErrorOf(error);
  const code = codeOf(error);
  if (code === 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR') return false;
  return typeof sqlState !== 'string' || BROKEN_OFF.has(code);
}

/** Tells whether SQLite could not read a page. */
export function isCorrupt(error: unknown): boolean {
  return codeOf(error).startsWith(CORRUPT);
}

/** The failure of requests that need the damaged full-text index of SQLite. */
export function searchDamaged(cause: unknown): DomainError {
  return new DomainError('search_unavailable', 'The search index is damaged. Try again later.', {
    cause,
    headers: { 'Retry-After': '60' },
  });
}

/** A unit of work whose `COMMIT` was sent and not answered. It is never repeated unseen. */
export function outcomeUnknown(cause: unknown): DomainError {
  return new DomainError(
    'outcome_unknown',
    'The database did not confirm the write: it may have been made or not. Read the record, or look for it in the list, before you send the request again.',
    { cause },
  );
}

/** A failure of the database as clients receive it; `null`: it is another failure. */
export function asUnavailable(error: unknown): DomainError | null {
  if (STORAGE_FULL.has(codeOf(error))) {
    return new DomainError('storage_full', 'The database has no room left, so nothing was written.', { cause: error });
  }
  if (codeOf(error) === CORRUPT_INDEX) return searchDamaged(error);
  if (codeOf(error) === TOO_LARGE) return tooLarge(null, error);
  const retryAfter = codeOf(error) === 'SERVER_UNREACHABLE' ? '2' : '1';
  if (!isQueueFull(error) && !UNAVAILABLE.has(codeOf(error)) && !isRetryable(error)) return null;
  return new DomainError('overloaded', 'The database does not answer in time. Try again in a moment.', {
    cause: error,
    headers: { 'Retry-After': retryAfter },
  });
}
