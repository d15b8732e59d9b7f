import type { Response } from 'supertest';
import { aPerson, signedIn } from './sign-in.js';
import type { TestApp } from './test-app.js';

const GADGET = { name: 'gadget' };
const KEEP = { name: 'keep', type: 'string' };
const SALARY = { name: 'salary', type: 'integer' };
const SEE_ALSO = { name: 'see_also', type: 'relation', to: ['gadget'] };

/** Records that still mention what is gone. */
export interface Traces {
  /** Has a value of a field that was removed, and points to a record that was removed. */
  readonly gadget: number;
  /** Had a tag that was deleted, in its revision `tagged`. */
  readonly post: number;
  readonly tagged: number;
  /** Was written by a user who was deleted. */
  readonly unowned: number;
}

async function sent(request: PromiseLike<Response>): Promise<Response['body']> {
  const { status, body } = await request;
  if (status >= 400) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

async function create(service: TestApp, path: string, body: object, token?: string): Promise<Response['body']> {
  return sent(service.http(token).post(path).send(body));
}

/** Uses the highest id of fields, terms, users and records, and frees it again. */
export async function leaveTraces(service: TestApp): Promise<Traces> {
  await create(service, '/api/admin/types', { ...GADGET, fields: [KEEP, SEE_ALSO, SALARY] });
  const goal = await create(service, '/api/cms/gadget', { title: 'Goal' });
  const gadget = await create(service, '/api/cms/gadget', {
    ...{ title: 'Gadget', status: 'published', salary: 99_999 },
    see_also: { id: goal.data.id, type: 'gadget' },
  });
  const { body } = await service.http().get('/api/admin/types/gadget');
  const fields = (body.data.fields as { name: string }[]).filter(({ name }) => name !== 'salary');
  await sent(service.http().put('/api/admin/types/gadget?confirm=gadget').send({ fields }));

  const post = await create(service, '/api/cms/post', { title: 'Post', terms: { tag: ['Old tag'] } });
  const { id: postId, updated_at: tagged } = post.data;
  await sent(
    service
      .http()
      .put(`/api/cms/post/${postId}`)
      .send({ terms: { tag: [] } }),
  );
  await sent(service.http().delete('/api/cms/taxonomy/tag/slug:old-tag'));

  const author = await aPerson(service, { role: 'author' });
  const { token } = await signedIn(service, author);
  const unowned = await create(service, '/api/cms/post', { title: 'Unowned' }, token);
  await sent(service.http().delete(`/api/users/${author.id}`));

  const last = await create(service, '/api/cms/gadget', { title: 'Last' });
  const pointing = { see_also: { id: last.data.id, type: 'gadget' } };
  await sent(service.http().put(`/api/cms/gadget/${gadget.data.id}`).send(pointing));
  await sent(service.http().delete(`/api/cms/gadget/${last.data.id}?permanent=true`));
  return { gadget: gadget.data.id, post: postId, tagged: Date.parse(tagged), unowned: unowned.data.id };
}

/** Makes a field, a tag, a user and a record, and says what of the old ones comes to life with them. */
export async function revived(service: TestApp, { gadget, post, tagged, unowned }: Traces): Promise<object> {
  const { body } = await service.http().get('/api/admin/types/gadget');
  const nickname = { name: 'nickname', type: 'string', max_length: 10 };
  await sent(
    service
      .http()
      .put('/api/admin/types/gadget')
      .send({ fields: [...body.data.fields, nickname] }),
  );
  await create(service, '/api/cms/gadget', { title: 'Newcomer', status: 'published' });
  const shown = await sent(service.http().get(`/api/cms/gadget/${gadget}?expand=see_also`));

  await create(service, '/api/cms/taxonomy', { type: 'tag', name: 'Totally different' });
  await sent(service.http().post(`/api/cms/post/${post}/rollback/${tagged}`));
  const rolledBack = await sent(service.http().get(`/api/cms/post/${post}`));

  const author = await aPerson(service, { role: 'author' });
  const { token } = await signedIn(service, author);
  const edit = await service.http(token).put(`/api/cms/post/${unowned}`).send({ title: 'Mine now' });
  return {
    nickname: shown.data.nickname,
    related: shown.data.see_also.title ?? null,
    tags: (rolledBack.data.terms.tag as { name: string }[]).map(({ name }) => name),
    canEdit: edit.status < 400,
  };
}

/** What {@link revived} says where nothing comes back: a rollback makes a tag that is gone anew, under its own name. */
export const NOTHING_REVIVED = { nickname: null, related: null, tags: ['Old tag'], canEdit: false };
