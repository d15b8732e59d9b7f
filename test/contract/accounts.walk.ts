import { TOKENS } from '../support/test-app.js';
import type { Conversation } from './conversation.js';

/** Every answer that the routes of API tokens can give. */
export async function goThroughTokens(talk: Conversation): Promise<void> {
  const path = '/api/admin/tokens';
  const made = await talk.expectStatus(201, `POST ${path}`, { body: { name: 'ci', scopes: ['records:read'] } });
  const own = `${path}/${made.body.data.id}`;
  await talk.expectStatus(422, `POST ${path}`, { body: {} });
  await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(400, `GET ${path}?page=0`);
  await talk.expectStatus(200, `GET ${own}`);
  const rotated = await talk.expectStatus(200, `POST ${own}/rotate`);
  await talk.expectStatus(204, `DELETE ${path}/${rotated.body.data.id}`);
  for (const [request, body] of [
    [`GET ${path}`],
    [`POST ${path}`, {}],
    [`GET ${own}`],
    [`POST ${own}/rotate`],
    [`DELETE ${own}`],
  ] as const) {
    await talk.expectStatus(403, request, { token: TOKENS.reader, body });
    await talk.expectStatus(400, `${request}?no_such=1`, { body });
  }
  for (const request of [`GET ${path}/9999`, `POST ${path}/9999/rotate`, `DELETE ${path}/9999`]) {
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

/** The refusals that all routes of users share, the limit on requests at last. */
async function refuseUsers(talk: Conversation, path: string, own: string): Promise<void> {
  const requests: readonly (readonly [string, object?])[] = [
    [`GET ${path}`],
    [`POST ${path}`, {}],
    [`GET ${own}`],
    [`PUT ${own}`, {}],
    [`PATCH ${own}`, {}],
    [`DELETE ${own}`],
  ];
  for (const [request, body] of requests) {
    await talk.expectStatus(400, `${request}?x=1`, { body });
    await talk.expectStatus(403, request, { token: TOKENS.reader, body });
  }
  for (let sent = 0; sent < 60; sent += 1) await talk.call(`GET ${path}`);
  for (const [request, body] of requests) await talk.expectStatus(429, request, { body });
}
