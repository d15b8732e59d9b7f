import { TOKENS } from '../support/test-app.js';
import type { Conversation } from './conversation.js';
import { WRITER } from './records.walk.js';

const TERMS = '/api/cms/taxonomy';
const ADMIN = '/api/admin/taxonomies';

/** Every answer that the routes of terms can give. */
export async function goThroughTerms(talk: Conversation): Promise<void> {
  const make = async (body: object): Promise<string> => {
    const made = await talk.expectStatus(201, `POST ${TERMS}`, { body: { type: 'category', ...body } });
    return `${TERMS}/category/${made.body.data.id}`;
  };
  const own = await make({ name: 'Walk', slug: 'walk' });
  const used = await make({ name: 'Used' });
  const record = { title: 'Walked', status: 'published', terms: { category: ['used'] } };
  await talk.expectStatus(201, 'POST /api/cms/post', { body: record });
  await talk.expectStatus(409, `POST ${TERMS}`, { body: { type: 'category', name: 'Walk' } });
  await talk.expectStatus(422, `POST ${TERMS}`, { body: { type: 'nothing', name: 1 } });
  await talk.expectStatus(400, `POST ${TERMS}?x=1`, { body: {} });
  await talk.expectStatus(403, `POST ${TERMS}`, { token: TOKENS.reader, body: {} });

  for (const path of [`${TERMS}/category`, own]) {
    await talk.expectStatus(200, `GET ${path}`);
    await talk.unchanged(`GET ${path}`);
    await talk.expectStatus(400, `GET ${path}?x=1`);
    await talk.expectStatus(403, `GET ${path}`, { token: WRITER });
    await talk.expectStatus(404, `GET ${path.replace('category', 'nothing')}`);
  }
  await talk.expectStatus(200, `GET ${TERMS}/category?format=tree`);
  await talk.expectStatus(200, `GET ${TERMS}/category/slug:walk`);
  await talk.expectStatus(404, `GET ${TERMS}/category/99999`);

  for (const verb of ['PUT', 'PATCH']) {
    await talk.expectStatus(200, `${verb} ${own}`, { body: { description: verb } });
    await talk.expectStatus(409, `${verb} ${own}`, { body: { slug: 'used' } });
    await talk.expectStatus(422, `${verb} ${own}`, { body: { name: '' } });
  }
  await talk.expectStatus(200, `POST ${await make({ name: 'Merged' })}/merge`, { body: { into: 'walk' } });
  await talk.expectStatus(422, `POST ${own}/merge`, { body: { into: 'walk' } });
  for (const [verb, path, body] of [
    ['PUT', own, {}],
    ['PATCH', own, {}],
    ['DELETE', own, undefined],
    ['POST', `${own}/merge`, {}],
  ] as const) {
    await talk.expectStatus(400, `${verb} ${path}?x=1`, { body });
    await talk.expectStatus(403, `${verb} ${path}`, { token: TOKENS.reader, body });
    await talk.expectStatus(404, `${verb} ${path.replace('category', 'nothing')}`, { body });
  }
  await talk.expectStatus(409, `DELETE ${used}`);
  await talk.expectStatus(204, `DELETE ${used}?force=true`);
  await talk.expectStatus(204, `DELETE ${own}`);
}

/** Every answer that the routes of taxonomies can give. */
export async function goThroughTaxonomies(talk: Conversation): Promise<void> {
  const own = `${ADMIN}/region`;
  await talk.expectStatus(201, `POST ${ADMIN}`, { body: { name: 'region', hierarchical: true } });
  await talk.expectStatus(409, `POST ${ADMIN}`, { body: { name: 'region' } });
  await talk.expectStatus(422, `POST ${ADMIN}`, { body: { name: 'new' } });
  for (const path of [ADMIN, own]) {
    await talk.expectStatus(200, `GET ${path}`);
    await talk.unchanged(`GET ${path}`);
  }
  await talk.expectStatus(200, `PUT ${own}`, { body: { label: 'Area' } });
  await talk.expectStatus(412, `PUT ${own}`, { body: { label: 'Late' }, headers: { 'If-Match': '"99"' } });
  await talk.expectStatus(422, `PUT ${own}`, { body: { label: 1 } });
  for (const [verb, path, body] of [
    ['GET', ADMIN, undefined],
    ['POST', ADMIN, {}],
    ['GET', own, undefined],
    ['PUT', own, {}],
    ['DELETE', own, undefined],
  ] as const) {
    await talk.expectStatus(400, `${verb} ${path}?x=1`, { body });
    await talk.expectStatus(403, `${verb} ${path}`, { token: TOKENS.reader, body });
    if (path === own) await talk.expectStatus(404, `${verb} ${ADMIN}/nothing`, { body });
  }
  const top = await talk.expectStatus(201, `POST ${TERMS}`, { body: { type: 'region', name: 'North' } });
  const below = { type: 'region', name: 'Far north', parent_id: top.body.data.id };
  await talk.expectStatus(201, `POST ${TERMS}`, { body: below });
  await talk.expectStatus(409, `PUT ${own}`, { body: { hierarchical: false } });
  await talk.expectStatus(409, `DELETE ${own}`);
  await talk.expectStatus(409, `DELETE ${ADMIN}/category?confirm=category`);
  await talk.expectStatus(204, `DELETE ${own}?confirm=region`);
}
