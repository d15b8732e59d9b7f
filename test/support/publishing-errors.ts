import type { Answer } from './errors.js';
import { sendWithKey } from './keyed-posts.js';
import type { TestApp } from './test-app.js';

type PublishingError = 'draft_not_found' | 'draft_conflict' | 'precondition_required' | 'idempotency_key_reused';

/** What goes wrong with working copies and keys, by the names of the errors. The service may start later. */
export function publishingErrors(service: () => TestApp): Record<PublishingError, () => PromiseLike<Answer>> {
  const aPost = async (): Promise<string> => {
    const { body } = await service().http().post('/api/cms/post').send({ title: 'One' }).expect(201);
    return `/api/cms/post/${body.data.id}`;
  };
  return {
    draft_not_found: async () =>
      service()
        .http()
        .get(`${await aPost()}/draft`),
    precondition_required: async () =>
      service()
        .http()
        .patch(`${await aPost()}/draft`)
        .send({ title: 'Two' }),
    idempotency_key_reused: async () => {
      await sendWithKey(service(), 'reused', '/api/cms/post', { title: 'One' });
      return sendWithKey(service(), 'reused', '/api/cms/post', { title: 'Another' });
    },
    draft_conflict: async () => {
      const path = await aPost();
      await service().http().patch(`${path}/draft`).set('If-Match', '"1"').send({ title: 'Mine' }).expect(201);
      await service().http().put(path).send({ title: 'Theirs' }).expect(200);
      return service().http().post(`${path}/publish`);
    },
  };
}
