import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import type { TestApp } from '../support/test-app.js';
import type { Conversation } from './conversation.js';

/** Every answer that the routes of identities can give, but for the refusals that all routes of users share. */
export async function goThroughIdentities(talk: Conversation, service: TestApp): Promise<void> {
  const write = (sql: string, ...values: (string | number)[]) =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));
  const person = await aPerson(service);
  const { token } = await signedIn(service, person);
  // The last one is that of the provider which the settings have.
  for (const provider of ['apple', 'oidc', 'google']) {
    await write(
      'INSERT INTO auth_identities (provider, subject, user_id, created_at, last_used_at) VALUES (?, ?, ?, 1, 1)',
      ...[provider, `contract-${person.id}`, person.id],
    );
  }
  const own = '/api/auth/identities';
  const { body } = await talk.expectStatus(200, `GET ${own}`, { token });
  const [first, second, last] = (body.data as { id: number }[]).map(({ id }) => id);
  await talk.expectStatus(400, `GET ${own}?x=1`, { token });
  await talk.expectStatus(400, `DELETE ${own}/${first}?x=1`, { token });
  await talk.expectStatus(404, `DELETE ${own}/99999`, { token });
  await talk.expectStatus(204, `DELETE ${own}/${first}`, { token });
  const path = `/api/users/${person.id}/identities`;
  await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(204, `DELETE ${path}/${second}`);
  await talk.expectStatus(404, `DELETE ${path}/${second}`);
  await talk.expectStatus(404, 'GET /api/users/99999/identities');
  await write('UPDATE users SET password_hash = NULL WHERE id = ?', person.id);
  await talk.expectStatus(409, `DELETE ${own}/${last}`, { token });
  await write("UPDATE users SET disabled_at = 1 WHERE role = 'admin'");
  await write("UPDATE users SET role = 'admin' WHERE id = ?", person.id);
  await talk.expectStatus(409, `DELETE ${path}/${last}`);
  await write("UPDATE users SET disabled_at = NULL WHERE role = 'admin'");
  await write("UPDATE users SET role = 'viewer' WHERE id = ?", person.id);
}
