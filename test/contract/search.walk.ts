import type { Conversation } from './conversation.js';
import { createRecord, WRITER } from './records.walk.js';

/** Every answer that the search can give. */
export async function goThroughSearch(talk: Conversation): Promise<void> {
  await createRecord(talk, 'post', { title: 'Heliotrope', body: 'A <b>rare</b> word.', status: 'published' });
  const path = '/api/cms/search';
  const found = await talk.expectStatus(200, `GET ${path}?q=heliotrope&type=post,page&status=published`);
  expect(found.body.data).toHaveLength(1);
  const counted = await talk.expectStatus(200, `GET ${path}?q=heliotrope&facets=type,status`);
  expect(counted.body.meta.facets.type.post).toBe(1);
  await talk.expectStatus(200, `GET ${path}?q=heliotrope&count=none`);
  const none = await talk.expectStatus(200, `GET ${path}?q=heliotorpe`);
  expect(none.body.meta.suggestion).toBe('heliotrope');
  await talk.expectStatus(400, `GET ${path}`);
  await talk.expectStatus(403, `GET ${path}?q=heliotrope`, { token: WRITER });
  await talk.expectStatus(404, `GET ${path}?q=heliotrope&type=nothing`);
}
