import { TOKENS } from '../support/test-app.js';
import type { Conversation } from './conversation.js';
import { WRITER } from './records.walk.js';

/** Every answer that the routes of content types can give. */
export async function goThroughTypes(talk: Conversation): Promise<void> {
  for (const path of ['/api/cms/types', '/api/admin/types']) {
    const token = path === '/api/cms/types' ? WRITER : TOKENS.reader;
    await talk.expectStatus(200, `GET ${path}`);
    await talk.expectStatus(200, `GET ${path}/every-kind`);
    await talk.unchanged(`GET ${path}`);
    await talk.unchanged(`GET ${path}/every-kind`);
    await talk.expectStatus(400, `GET ${path}?x=1`);
    await talk.expectStatus(400, `GET ${path}/every-kind?x=1`);
    await talk.expectStatus(403, `GET ${path}`, { token });
    await talk.expectStatus(403, `GET ${path}/every-kind`, { token });
    await talk.expectStatus(404, `GET ${path}/no-such`);
  }
  const admin = '/api/admin/types';
  await talk.expectStatus(201, `POST ${admin}`, { body: { name: 'target', label: 'Target' } });
  const fields = [{ name: 'aim', type: 'relation', to: ['target'] }];
  await talk.expectStatus(201, `POST ${admin}`, { body: { name: 'arrow', label: 'Arrow', fields } });
  await talk.expectStatus(409, `POST ${admin}`, { body: { name: 'target', label: 'Target' } });
  await talk.expectStatus(422, `POST ${admin}`, { body: { name: 'No name' } });
  await talk.expectStatus(400, `POST ${admin}?x=1`, { body: {} });
  await talk.expectStatus(403, `POST ${admin}`, { token: TOKENS.reader, body: {} });

  await talk.expectStatus(200, `PUT ${admin}/target`, { body: { description: 'To aim at.' } });
  await talk.expectStatus(422, `PUT ${admin}/target`, { body: { label: 1 } });
  await talk.expectStatus(400, `PUT ${admin}/target?x=1`, { body: {} });
  await talk.expectStatus(403, `PUT ${admin}/target`, { token: TOKENS.reader, body: {} });
  await talk.expectStatus(404, `PUT ${admin}/no-such`, { body: {} });
  await talk.expectStatus(412, `PUT ${admin}/target`, { body: { label: 'Late' }, headers: { 'If-Match': '"99"' } });
  await talk.expectStatus(409, `PUT ${admin}/every-kind`, { body: { fields: [] } });

  await talk.expectStatus(409, `DELETE ${admin}/target`);
  await talk.expectStatus(409, `DELETE ${admin}/every-kind`);
  await talk.expectStatus(400, `DELETE ${admin}/arrow?x=1`);
  await talk.expectStatus(403, `DELETE ${admin}/arrow`, { token: TOKENS.reader });
  await talk.expectStatus(404, `DELETE ${admin}/no-such`);
  await talk.expectStatus(204, `DELETE ${admin}/arrow`);
  await talk.expectStatus(204, `DELETE ${admin}/target`);
}
