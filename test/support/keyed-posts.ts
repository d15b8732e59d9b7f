import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import { Writer } from '../../src/database/statements/writer.js';
import { TOKENS, type TestApp } from './test-app.js';

/** A POST with an `Idempotency-Key`. */
export function sendWithKey(
  service: TestApp,
  key: string,
  path: string,
  body: object = {},
  token: string = TOKENS.admin,
): PromiseLike<Response> {
  return service.http(token).post(path).set('Idempotency-Key', key).send(body);
}

/** How many posts have a title. */
export async function titled(service: TestApp, title: string): Promise<number> {
  const query = `filter[title]=${encodeURIComponent(title)}`;
  const { body } = await service.http().get(`/api/cms/post?${query}`).expect(200);
  return body.meta.total;
}

/** What the table of keys has of a key. */
export async function rowsOf({ app }: TestApp, key: string): Promise<Record<string, unknown>[]> {
  const { source } = app.get(Writer, { strict: false });
  return source.query('SELECT * FROM idempotency_keys WHERE hash = ?', [hashOf(key)]);
}

/** Has the answer to a request with a key be lost, as where its process ended before it was kept. */
export async function loseAnswer({ app }: TestApp, key: string): Promise<void> {
  const { source } = app.get(Writer, { strict: false });
  await source.query('UPDATE idempotency_keys SET answer = NULL WHERE hash = ?', [hashOf(key)]);
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
