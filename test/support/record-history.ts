import { Historian } from './historian.js';
import type { TestApp } from './test-app.js';

/** A record with a history, terms in a tree, and a relation that points forward. */
export async function fillHistory(service: TestApp): Promise<number> {
  const send = async (method: 'post' | 'put' | 'patch', address: string, body: object): Promise<{ id: number }> => {
    const { status, text, body: answer } = await service.http()[method](address).send(body);
    expect([text, status < 300]).toEqual([text, true]);
    return answer.data as { id: number };
  };
  const { id: news } = await send('post', '/api/cms/taxonomy', { type: 'category', name: 'News', position: 3 });
  const under = { type: 'category', name: 'World', parent_id: news, description: 'Far away' };
  const { id: world } = await send('post', '/api/cms/taxonomy', under);
  const historian = new Historian(service);
  const terms = { tag: ['night sky'], category: [world] };
  const id = await historian.create({ title: 'A comet', body: 'first words', terms });
  await historian.update(id, { title: 'A comet again', body: 'other words', terms: { tag: ['comets', 'night sky'] } });
  await historian.update(id, { status: 'published' });
  const later = await historian.create({ title: 'Later', status: 'published' });
  const everything = (await service.http().get('/api/cms/everything?per_page=1')).body.data[0] as { id: number };
  await send('put', `/api/cms/everything/${everything.id}`, { friends: [later] });
  return id;
}
