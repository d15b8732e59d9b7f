import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { TOKENS, type TestApp } from '../support/test-app.js';
import type { Conversation } from './conversation.js';

/** Every answer that the routes of API tokens can give. */
export async function goThroughTokens(talk: Conversation, service: TestApp): Promise<void> {
  const path = '/api/admin/tokens';
  const made = await talk.expectStatus(201, `POST ${path}`, { body: { name: 'ci', scopes: ['records:read'] } });
  const own = `${path}/${made.body.data.id}`;
  await talk.expectStatus(422, `POST ${path}`, { body: {} });
  const order = { name: 'one of many', scopes: ['records:read'] };
  const admin = await aPerson(service, { role: 'admin' });
  const { token } = await signedIn(service, admin);
  for (let tokens = 0; tokens < 100; tokens += 1) {
    await talk.expectStatus(201, `POST ${path}`, { token, body: order });
  }
  await talk.expectStatus(409, `POST ${path}`, { token, body: order });
  // What follows begins without an admin, and the service would not take the last one away.
  await service.app
    .get(UnitOfWork)
    .run((manager) => execute(manager, "UPDATE users SET role = 'viewer' WHERE id = ?", [admin.id]));
  await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(400, `GET ${path}?page=0`);
  await talk.expectStatus(200, `GET ${own}`);
  const rotated = await talk.expectStatus(200, `POST ${own}/rotate`);
  await talk.expectStatus(204, `DELETE ${path}/${rotated.body.data.id}`);
  for (const [request, body] of tokenRequests(path, own)) {
    await talk.expectStatus(403, request, { token: TOKENS.reader, body });
    await talk.expectStatus(400, `${request}?no_such=1`, { body });
  }
  for (const request of [`GET ${path}/9999`, `POST ${path}/9999/rotate`, `DELETE ${path}/9999`]) {
    await talk.expectStatus(404, request);
  }
}

function tokenRequests(path: string, own: string): readonly (readonly [string, object?])[] {
  return [[`GET ${path}`], [`POST ${path}`, {}], [`GET ${own}`], [`POST ${own}/rotate`], [`DELETE ${own}`]];
}

/** Every answer that the routes of one's own API tokens can give, and those of the tokens of a user. */
export async function goThroughOwnTokens(talk: Conversation, service: TestApp): Promise<void> {
  const path = '/api/auth/tokens';
  const person = await aPerson(service);
  const { token } = await signedIn(service, person);
  const body = { name: 'laptop', scopes: ['records:read'] };
  const made = await talk.expectStatus(201, `POST ${path}`, { token, body });
  const own = `${path}/${made.body.data.id}`;
  await talk.expectStatus(422, `POST ${path}`, { token, body: {} });
  await talk.expectStatus(200, `GET ${path}`, { token });
  const rotated = await talk.expectStatus(200, `POST ${own}/rotate`, { token });
  await talk.expectStatus(204, `DELETE ${path}/${rotated.body.data.id}`, { token });
  for (const request of [`GET ${path}`, `POST ${path}`, `POST ${own}/rotate`, `DELETE ${own}`]) {
    await talk.expectStatus(400, `${request}?no_such=1`, { token, ...(request === `POST ${path}` ? { body } : {}) });
  }
  for (const request of [`POST ${path}/9999/rotate`, `DELETE ${path}/9999`]) {
    await talk.expectStatus(404, request, { token });
  }
  await goThroughUserTokens(talk, person.id, made.body.data.id);
  for (let tokens = 0; tokens < 100; tokens += 1) await talk.expectStatus(201, `POST ${path}`, { token, body });
  await talk.expectStatus(409, `POST ${path}`, { token, body });
  await talk.expectStatus(403, `POST ${path}`, { token, body: { name: 'more', scopes: ['*'] } });
}

async function goThroughUserTokens(talk: Conversation, userId: number, tokenId: number): Promise<void> {
  const path = `/api/users/${userId}/tokens`;
  await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(204, `DELETE ${path}/${tokenId}`);
  await talk.expectStatus(204, `DELETE ${path}`);
  for (const request of ['GET /api/users/9999/tokens', 'DELETE /api/users/9999/tokens', `DELETE ${path}/9999`]) {
    await talk.expectStatus(404, request);
  }
}

/** Every answer that the audit can give. */
export async function goThroughAudit(talk: Conversation): Promise<void> {
  const path = '/api/admin/audit';
  const { body } = await talk.expectStatus(200, `GET ${path}?per_page=1`);
  await talk.expectStatus(200, `GET ${path}?per_page=1&cursor=${body.meta.next_cursor}`);
  await talk.expectStatus(400, `GET ${path}?event=nothing`);
  await talk.expectStatus(403, `GET ${path}`, { token: TOKENS.reader });
}

/** Every answer that the routes of users can give. */
export async function goThroughUsers(talk: Conversation): Promise<void> {
  const path = '/api/users';
  const ana = { name: 'Ana', email: 'ana@example.org', role: 'admin', password: 'correct horse battery' };
  const made = await talk.expectStatus(201, `POST ${path}`, { body: ana });
  const own = `${path}/${made.body.id}`;
  const other = await talk.expectStatus(201, `POST ${path}`, { body: { name: 'Ben', email: 'ben@example.org' } });
  await talk.expectStatus(409, `POST ${path}`, { body: ana });
  await talk.expectStatus(422, `POST ${path}`, { body: {} });
  await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(200, `GET ${own}`);
  await talk.expectStatus(404, `GET ${path}/9999`);
  for (const method of ['PUT', 'PATCH']) {
    await talk.expectStatus(200, `${method} ${own}`, { body: { name: `Ana ${method}` } });
    await talk.expectStatus(409, `${method} ${own}`, { body: { role: 'viewer' } });
    await talk.expectStatus(422, `${method} ${own}`, { body: { email: 'no' } });
    await talk.expectStatus(404, `${method} ${path}/9999`, { body: {} });
  }
  await talk.expectStatus(409, `DELETE ${own}`);
  await talk.expectStatus(204, `DELETE ${path}/${other.body.id}`);
  await talk.expectStatus(404, `DELETE ${path}/9999`);
  await refuseUsers(talk, path, own);
}

/** Routes of users, each with a body where it takes one. */
function userRequests(path: string, own: string): readonly (readonly [string, object?])[] {
  return [
    [`GET ${path}`],
    [`POST ${path}`, {}],
    [`GET ${own}`],
    [`PUT ${own}`, {}],
    [`PATCH ${own}`, {}],
    [`DELETE ${own}`],
    [`GET ${own}/tokens`],
    [`DELETE ${own}/tokens`],
    [`DELETE ${own}/tokens/1`],
    [`GET ${own}/identities`],
    [`DELETE ${own}/identities/1`],
  ];
}

/** The refusals that all routes of users share, but for that of their limit. */
async function refuseUsers(talk: Conversation, path: string, own: string): Promise<void> {
  for (const [request, body] of userRequests(path, own)) {
    await talk.expectStatus(400, `${request}?x=1`, { body });
    await talk.expectStatus(403, request, { token: TOKENS.reader, body });
  }
}

/** @param talk with a service whose limit `users` is spent */
export async function goBeyondTheLimitOfUsers(talk: Conversation): Promise<void> {
  const users = userRequests('/api/users', '/api/users/1');
  const tokens = tokenRequests('/api/admin/tokens', '/api/admin/tokens/1');
  for (const [request, body] of [...users, ...tokens]) await talk.expectStatus(429, request, { body });
}
