import type { Response } from 'supertest';
import { ERROR_STATUS, type ErrorName } from '../../src/common/errors/catalogue.js';

/** Words that stand in stack traces, statements and driver messages, and in no answer. */
const INSIDES = /node_modules|\.ts:|\.js:|at .* \(|SELECT |INSERT |SQLITE_|ER_[A-Z]|ECONN|typeorm|QueryFailed/;

/** What is looked at of an answer. */
export type Answer = Pick<Response, 'status' | 'headers' | 'body' | 'text'>;

/** Holds an answer against the catalogue: its status, the one shape, and nothing of our insides. */
export function expectError(answer: Answer, name: ErrorName): void {
  expect([answer.body.error, answer.status]).toEqual([name, ERROR_STATUS[name]]);
  const { details, retry_after: seconds, ...rest } = answer.body;
  expect(rest).toEqual({
    error: name,
    message: expect.stringMatching(/^\S.+[.?]$/s),
    request_id: expect.stringMatching(/^[\x21-\x7e]{1,128}$/),
  });
  if (details !== undefined) expect(details).toEqual(expect.any(Array));
  expect(seconds === undefined ? undefined : String(seconds)).toBe(
    answer.status === 429 ? answer.headers['retry-after'] : undefined,
  );
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['x-request-id']).toBe(answer.body.request_id);
  expect(answer.headers['www-authenticate'] === undefined).toBe(answer.status !== 401);
  expect(answer.text).not.toMatch(INSIDES);
}
