import { QueryFailedError } from 'typeorm';
import {
  asUnavailable,
  isQueryTimeout,
  isRetryable,
  isUnanswered,
  isUniqueViolation,
  outcomeUnknown,
} from './database-error.js';

const failure = (code: string): Error => Object.assign(new Error(`secret-host: ${code}`), { code });
const failedQuery = (code: string): Error => new QueryFailedError('INSERT INTO secret', ['secret'], failure(code));
/** As mysql2 makes it of an error that the server has sent. */
const refusal = (code: string): Error => Object.assign(failure(code), { sqlState: 'HY000' });

describe('Errors of databases', () => {
  it.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'ER_DUP_ENTRY'])('%s is a taken key', (code) => {
    expect(isUniqueViolation(failedQuery(code))).toBe(true);
    expect(isRetryable(failedQuery(code))).toBe(false);
    expect(asUnavailable(failedQuery(code))).toBeNull();
  });

  it.each(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD', 'SQLITE_BUSY'])('%s is tried again', (code) => {
    expect(isRetryable(failedQuery(code))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ETIMEDOUT', 'PROTOCOL_CONNECTION_LOST', 'ER_STATEMENT_TIMEOUT', 'ER_QUERY_TIMEOUT'])(
    '%s is overloaded, comes with Retry-After, and says nothing of the database',
    (code) => {
      for (const error of [failure(code), failedQuery(code)]) {
        const answer = asUnavailable(error);
        expect(answer).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '1' }, cause: error });
        expect(answer?.message).not.toContain('secret');
      }
    },
  );

  it('a lost deadlock that was tried too often, and a lost connection, are overloaded and no fault of ours', () => {
    for (const code of ['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'SQLITE_BUSY', 'ER_CON_COUNT_ERROR']) {
      expect([code, asUnavailable(failedQuery(code))?.error]).toEqual([code, 'overloaded']);
    }
  });

  it('the time limit of MariaDB, for which mysql2 has a number only, is overloaded', () => {
    expect(asUnavailable(Object.assign(new Error('Query execution was interrupted'), { errno: 1969 }))?.error).toBe(
      'overloaded',
    );
  });

  it.each([
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ER_READ_ONLY_MODE',
    'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
    'ER_ACCESS_DENIED_ERROR',
    'ER_ACCOUNT_HAS_BEEN_LOCKED',
    'ER_BULK_PARSER_INCOMPLETE_ESCAPE_SEQUENCE',
    'ER_TOO_MANY_USER_CONNECTIONS',
    'ER_USER_LIMIT_REACHED',
    'ER_CLIENT_INTERACTION_TIMEOUT',
    'ER_QUERY_INTERRUPTED',
  ])('%s is trouble of the database and no defect, and is not tried again at once', (code) => {
    expect([asUnavailable(failedQuery(code))?.error, isRetryable(failedQuery(code))]).toEqual(['overloaded', false]);
  });

  it.each(['ER_DISK_FULL', 'ER_RECORD_FILE_FULL', 'SQLITE_FULL'])(
    '%s is a lack of room, which no repetition mends',
    (code) => {
      expect(asUnavailable(failedQuery(code))).toMatchObject({ error: 'storage_full', headers: undefined });
    },
  );

  it('1927 of MariaDB is trouble of the database as well: the connection was ended by an operator', () => {
    const killed = Object.assign(new Error('Connection was killed'), { errno: 1927, sqlState: '70100' });
    expect([asUnavailable(killed)?.error, isRetryable(killed)]).toEqual(['overloaded', false]);
  });

  it('a commit that a group of servers has refused is tried again', () => {
    expect(isRetryable(failedQuery('ER_TRANSACTION_ROLLBACK_DURING_COMMIT'))).toBe(true);
  });

  it('a full queue of the pool is overloaded', () => {
    expect(asUnavailable(new Error('Queue limit reached.'))?.error).toBe('overloaded');
  });

  it.each(['ER_DUP_ENTRY', 'ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_ERROR_DURING_COMMIT', 'ER_CHECKREAD'])(
    '%s is an answer of the server',
    (code) => {
      expect(isUnanswered(new QueryFailedError('COMMIT', [], refusal(code)))).toBe(false);
    },
  );

  it.each(['ER_SERVER_SHUTDOWN', 'ER_QUERY_INTERRUPTED', 'ER_QUERY_TIMEOUT', 'ER_UNKNOWN_COM_ERROR'])(
    '%s leaves open what became of it',
    (code) => {
      expect(isUnanswered(new QueryFailedError('COMMIT', [], refusal(code)))).toBe(true);
    },
  );

  it.each([1927, 1969])('so does %d of MariaDB, for which mysql2 has a number only', (errno) => {
    expect(isUnanswered(Object.assign(new Error('x'), { errno, sqlState: '70100' }))).toBe(true);
  });

  it.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT'])(
    '%s is no answer',
    (code) => {
      expect(isUnanswered(failedQuery(code))).toBe(true);
    },
  );

  it('a statement for a connection that was lost before was not sent, so its outcome is known, and it is overloaded', () => {
    const closed = new Error("Can't add new command when connection is in closed state");
    for (const error of [closed, failure('PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR')]) {
      expect([isUnanswered(error), asUnavailable(error)?.error]).toEqual([false, 'overloaded']);
    }
  });

  it('an outcome that is unknown is not tried again, and does not say that the client may', () => {
    const unknown = outcomeUnknown(failedQuery('ECONNRESET'));

    expect([isRetryable(unknown), unknown.error, unknown.headers]).toEqual([false, 'outcome_unknown', undefined]);
  });

  it('only a time limit of the driver leaves an answer under way', () => {
    expect(isQueryTimeout(failedQuery('PROTOCOL_SEQUENCE_TIMEOUT'))).toBe(true);
    expect(isQueryTimeout(failedQuery('ER_QUERY_TIMEOUT'))).toBe(false);
  });

  it.each([null, undefined, 'text', 7, {}, new Error('x'), { code: 7 }])('%p is none of them', (error) => {
    expect([isUniqueViolation(error), isRetryable(error), isQueryTimeout(error), asUnavailable(error)]).toEqual([
      false,
      false,
      false,
      null,
    ]);
  });
});
