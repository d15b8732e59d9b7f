import type { EntityManager } from 'typeorm';
import { OPERATOR } from '../../src/cli/operator-events.js';
import { DomainError } from '../../src/common/errors/domain-error.js';
import { RecordListeners, type PublishGate, type RecordChange } from '../../src/records/writing/record-listeners.js';
import { READERS } from '../../src/transfer/formats/readers.js';
import { Importer } from '../../src/transfer/import/importer.js';
import { copyRequests } from '../support/copy-requests.js';
import { Historian } from '../support/historian.js';
import { folderOf } from '../support/import-files.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Notes what it is asked and what passes it by. While it is closed, it lets nothing through. */
class Gate implements PublishGate {
  isClosed = false;
  readonly seen: string[] = [];

  pass(_: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    this.seen.push(...changes.map(({ action }) => `asked: ${action}`));
    if (this.isClosed) throw new DomainError('insufficient_scope', 'Not yet.');
    return Promise.resolve();
  }

  overridden(_: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    this.seen.push(...changes.map(({ ungated, action }) => `passed by: ${ungated}, ${action}`));
    return Promise.resolve();
  }
}

/** A way by which content may come before the public: its last step. */
type Step = () => PromiseLike<{ readonly status: number; readonly text: string }>;

describe('A gate before the public', () => {
  const gate = new Gate();
  let service: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    posts = new Historian(service);
    service.app.get(RecordListeners, { strict: false }).addGate(gate);
  });
  afterAll(() => service.close());

  const { save, send } = copyRequests(() => service);
  const { aTerm, path } = taxonomyRequests(() => service);
  const none = () => Promise.resolve();
  const draft = (parts: object = {}) => posts.create({ title: 'One', body: 'Before', ...parts });
  const published = (parts: object = {}) => draft({ status: 'published', ...parts });
  const write = (method: 'put' | 'patch', id: number, body: object) =>
    service.http()[method](`/api/cms/post/${id}`).send(body);
  const withCopy = async (id: number) => {
    await save(`post/${id}`, { title: 'Two' });
    return id;
  };
  const trashed = async () => {
    const id = await published();
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    return id;
  };
  const changed = async () => {
    const id = await published();
    await posts.update(id, { title: 'Two' });
    return { id, ts: (await posts.times(id))[0] ?? 0 };
  };
  let pairs = 0;
  const twoTags = async () => {
    pairs += 1;
    const [one, other] = [await aTerm('tag', `One ${pairs}`), await aTerm('tag', `Other ${pairs}`)];
    await published({ terms: { tag: [one.id] } });
    return { one: `${path('tag')}/${one.id}`, other };
  };
  /** An import of one row, as the answer of a request. */
  const imported = async (row: string) => {
    const folder = folderOf({ 'rows.csv': `id,title,status\n${row}\n` });
    const options = { caller: OPERATOR, source: 'rows', type: 'post', status: null, isDryRun: false };
    const report = await service.app
      .get(Importer, { strict: false })
      .run(READERS.csv(`${folder.path}/rows.csv`), options);
    folder.remove();
    return { status: report.problems.length === 0 ? 200 : 403, text: JSON.stringify(report) };
  };

  /** What has happened before, which is open to the public, and the step that is looked at. */
  const doors: [door: string, seen: string, prepare: () => Promise<Step>][] = [
    ['POST of a record', 'asked: create', step(none, () => posts.post('', { title: 'One', status: 'published' }))],
    ['PUT of the status', 'asked: publish', step(draft, (id) => write('put', id, { status: 'published' }))],
    ['PATCH of the status', 'asked: publish', step(draft, (id) => write('patch', id, { status: 'published' }))],
    ['PATCH of what is public', 'asked: update', step(published, (id) => write('patch', id, { title: 'Two' }))],
    ['publish', 'asked: publish', step(draft, (id) => posts.post(`${id}/publish`))],
    [
      'publish of a working copy',
      'asked: publish',
      step(
        async () => withCopy(await published()),
        (id) => posts.post(`${id}/publish`),
      ),
    ],
    [
      'apply to what is public',
      'asked: update',
      step(
        async () => withCopy(await published()),
        (id) => posts.post(`${id}/draft/apply`),
      ),
    ],
    ['rollback', 'asked: rollback', step(changed, ({ id, ts }) => posts.post(`${id}/rollback/${ts}`))],
    ['restore', 'asked: restore', step(trashed, (id) => posts.post(`${id}/restore`))],
    ['import of a new record', 'passed by: import, import', step(none, () => imported('1,New,published'))],
    [
      'import of a change',
      'passed by: import, import',
      step(
        () => imported('2,New,published'),
        () => imported('2,Changed,published'),
      ),
    ],
    [
      'merging of terms',
      'passed by: terms, update',
      step(twoTags, ({ one, other }) => service.http().post(`${one}/merge`).send({ into: other.id })),
    ],
    [
      'deletion of a term',
      'passed by: terms, update',
      step(twoTags, ({ one }) => service.http().delete(`${one}?force=true`)),
    ],
    [
      'apply to a draft',
      'not asked',
      step(
        async () => withCopy(await draft()),
        (id) => posts.post(`${id}/draft/apply`),
      ),
    ],
    ['a working copy', 'not asked', step(published, (id) => send('patch', `post/${id}`, '*', { title: 'Two' }))],
    ['PATCH of a draft', 'not asked', step(draft, (id) => write('patch', id, { title: 'Two' }))],
    ['unpublish', 'not asked', step(published, (id) => posts.post(`${id}/unpublish`))],
    ['import of a draft', 'not asked', step(none, () => imported('3,New,draft'))],
  ];

  it.each(doors)('%s: %s', async (_, seen, prepare) => {
    const attempt = await prepare();
    gate.seen.length = 0;
    gate.isClosed = true;

    const { status, text } = await attempt();

    gate.isClosed = false;
    expect(gate.seen).toEqual(seen === 'not asked' ? [] : [seen]);
    expect([status < 300, text.includes('Not yet.')]).toEqual(seen.startsWith('asked') ? [false, true] : [true, false]);
  });

  it('that refuses leaves the record as it was', async () => {
    const id = await withCopy(await published());
    const before = (await posts.get(id)).body.data;
    gate.isClosed = true;

    await posts.post(`${id}/publish`).expect(403);
    await write('put', id, { title: 'Three' }).expect(403);

    gate.isClosed = false;
    expect((await posts.get(id)).body.data).toEqual(before);
    expect((await posts.post(`${id}/publish`).expect(200)).body.data.title).toBe('Two');
  });
});

/** A step that is taken with what was prepared for it. */
function step<Prepared>(
  prepare: () => Promise<Prepared>,
  attempt: (prepared: Prepared) => ReturnType<Step>,
): () => Promise<Step> {
  return async () => {
    const prepared = await prepare();
    return () => attempt(prepared);
  };
}
