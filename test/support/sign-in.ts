import type { Response } from 'supertest';
import type { TestApp } from './test-app.js';

export const PASSWORD = 'correct horse battery';

/** Somebody who can sign in by {@link PASSWORD}. */
export interface Person {
  readonly id: number;
  readonly email: string;
}

let people = 0;

/** A new user of a service. */
export async function aPerson(service: TestApp, fields: Readonly<Record<string, unknown>> = {}): Promise<Person> {
  people += 1;
  const body = { name: `Person ${people}`, email: `person${people}@example.com`, password: PASSWORD, ...fields };
  const answer = await service.http().post('/api/users').send(body).expect(201);
  return { id: answer.body.id as number, email: answer.body.email as string };
}

/** What the service answers to somebody who signs in by password. */
export function login(service: TestApp, { email }: Pick<Person, 'email'>, password = PASSWORD): PromiseLike<Response> {
  return service.anonymous().post('/api/auth/login').send({ email, password });
}

/** The tokens of a session. */
export interface Tokens {
  readonly token: string;
  readonly refresh_token: string;
}

/** Signs somebody in by password. */
export async function signedIn(service: TestApp, person: Pick<Person, 'email'>): Promise<Tokens> {
  const { status, body } = await login(service, person);
  expect(status).toBe(200);
  return body as Tokens;
}
