import type { Connection, RowDataPacket } from 'mysql2';
import type { PacketLimit } from './packet-limit.js';

/** The time of the server, milliseconds since 1970, UTC. `UNIX_TIMESTAMP` says one hour twice at the end of summer time. */
export const SERVER_TIME = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

/** Variables of a server that decide how it is used. A server omits those that it does not have. */
const VARIABLES =
  "SHOW VARIABLES WHERE Variable_name IN ('max_allowed_packet', 'wsrep_on', 'group_replication_group_name')";

/** A session that writes begins no unit of work before this node has what others had committed by then. */
const WAIT_FOR_OTHERS = 'SET SESSION wsrep_sync_wait = 1';

function learnVariables(rows: readonly RowDataPacket[], packets: PacketLimit): boolean {
  const variables = new Map(rows.map(({ Variable_name: name, Value: value }) => [name as string, value as string]));
  packets.bytes = Number(variables.get('max_allowed_packet'));
  const isGalera = variables.get('wsrep_on') === 'ON';
  packets.isOfCluster = isGalera || (variables.get('group_replication_group_name') ?? '') !== '';
  return isGalera;
}

const STATEMENT_TIMEOUT_SECONDS = 10;
/** The longest wait for a lock of rows, and of tables that are being changed. */
const LOCK_WAIT_SECONDS = 5;
/** The server ends a session that is silent for so long, and its locks: of a client that is gone it learns nothing else. */
export const SILENT_SESSION_SECONDS = 60;

/**
 * The limits of a session for the wait for a table and for a statement, in seconds; 0: none. MySQL and MariaDB each read only
 * their own kind of comment.
 * @see https://mariadb.com/kb/en/comment-syntax/
 */
const limits = (tableWait: number, statement: number): string => `lock_wait_timeout = ${tableWait}
     /*M! , max_statement_time = ${statement} */
     /*!80000 , max_execution_time = ${statement * 1000} */`;
/** So long a change of a table waits for transactions that use it, and is then tried again: all others wait behind the change. */
const TABLE_WAIT_SECONDS = 2;
export const LIMITS = `SET SESSION ${limits(LOCK_WAIT_SECONDS, STATEMENT_TIMEOUT_SECONDS)}`;
/** A change itself takes as long as the table needs. */
export const LIMITS_OF_MIGRATIONS = `SET SESSION ${limits(TABLE_WAIT_SECONDS, 0)}`;

/** Settings of every session. */
const SESSION = `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS},
     wait_timeout = ${SILENT_SESSION_SECONDS},
     sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
     ${limits(LOCK_WAIT_SECONDS, STATEMENT_TIMEOUT_SECONDS)}`;

const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** A server that has not made a setting by then does not work. */
const SET_UP_MS = 10_000;

interface Purpose {
  readonly isWriting: boolean;
  readonly packets: PacketLimit;
}

/** Applies the session settings: without them a server truncates texts silently, and waits for locks without an end. */
export async function setUpSession(connection: Connection, { isWriting, packets }: Purpose): Promise<void> {
  const session = connection.promise();
  const ask = (sql: string) => session.query<RowDataPacket[]>({ sql, timeout: SET_UP_MS });
  await ask(isWriting ? ISOLATION : `${ISOLATION}, READ ONLY`);
  await ask(SESSION);
  const [rows] = await ask(VARIABLES);
  if (learnVariables(rows, packets) && isWriting) await ask(WAIT_FOR_OTHERS);
}
