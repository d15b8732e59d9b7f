import type { Response } from 'supertest';
import type { TestApp } from './test-app.js';

/** A password that the service takes. */
export const PASSWORD = 'a sentence nobody else has';

/** Requests that tests of users send again and again. The service may start later. */
export function userRequests(service: () => TestApp) {
  let count = 0;
  const anEmail = (): string => `user${++count}@example.com`;
  const create = (body: unknown, token?: string): Promise<Response> =>
    service()
      .http(token)
      .post('/api/users')
      .send(body as object);
  const read = (id: number): Promise<Response> => service().http().get(`/api/users/${id}`);

  async function aUser(input: object = {}): Promise<{ id: number; email: string; updated_at: string }> {
    const answer = await create({ name: 'Ann', email: anEmail(), ...input });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  return { anEmail, create, read, aUser };
}
