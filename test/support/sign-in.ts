import type { Response } from 'supertest';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import type { TestApp } from './test-app.js';

export const PASSWORD = 'correct horse battery';

/** A user who can sign in by {@link PASSWORD}. */
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

/** The answer to a sign-in by password. */
export function login(service: TestApp, { email }: Pick<Person, 'email'>, password = PASSWORD): PromiseLike<Response> {
  return service.anonymous().post('/api/auth/login').send({ email, password });
}

/** The tokens of a session. */
export interface Tokens {
  readonly token: string;
  readonly refresh_token: string;
}

/** Signs a user in by password. */
export async function signedIn(service: TestApp, person: Pick<Person, 'email'>): Promise<Tokens> {
  const { status, body } = await login(service, person);
  expect(status).toBe(200);
  return body as Tokens;
}

/** Makes an account one that others than an administrator have prepared. */
export const PREPARED = 'UPDATE users SET password_given_at = created_at WHERE id = ? AND password_hash IS NOT NULL';

/** Has the account of a person count as one that others have prepared, with a password that they know. */
export async function prepared(service: TestApp, { id }: Pick<Person, 'id'>): Promise<void> {
  await service.app.get(UnitOfWork).run((manager) => execute(manager, PREPARED, [id]));
}

/** Has the address of a person count as proved, and the password as one of their own. */
export async function proved(service: TestApp, { id }: Pick<Person, 'id'>): Promise<void> {
  const came = 'UPDATE users SET email_verified_at = 1, password_given_at = NULL WHERE id = ?';
  await service.app.get(UnitOfWork).run((manager) => execute(manager, came, [id]));
}

/** The cookie of a device, as a browser sends it back. */
export function deviceIn({ headers }: Response): string {
  const lines = (headers['set-cookie'] ?? []) as unknown as string[];
  return lines.map((line) => line.split(';')[0] ?? '').find((pair) => pair.includes('cms_device=')) ?? '';
}
