import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { RecordReader } from '../../src/records/reading/record-reader.js';
import { RecordChanges } from '../../src/records/writing/record-changes.js';
import { stateOf, type RecordState } from '../../src/records/writing/record-state.js';
import { RecordWriter } from '../../src/records/writing/record-writer.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('A change of a record that another process has changed since it was read', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  /** Decides twice: on the row as it was read at first, and as it is by then. */
  async function changeTwice(title: string, change: Partial<RecordState>) {
    const path = '/api/cms/post';
    const { body } = await test.http().post(path).send({ title, body: 'first words' }).expect(201);
    const { id } = (body as { data: { id: number } }).data;
    const type = await test.app.get(ContentTypesService, { strict: false }).require('post');
    const reader = test.app.get(RecordReader, { strict: false });
    const before = await reader.requireById(type, id);
    await test.http().patch(`${path}/${id}`).send({ body: 'words of others' }).expect(200);
    const now = await reader.requireById(type, id);
    let tries = 0;
    const plan = () => {
      tries += 1;
      const read = tries === 1 ? before : now;
      const authorship = { actor: read.updated_by, at: read.updated_at + 1 };
      return Promise.resolve({
        row: read,
        state: { ...stateOf(read), ...change },
        authorship,
        givesWay: 'nothing' as const,
      });
    };
    const changes = test.app.get(RecordChanges, { strict: false });
    const writer = test.app.get(RecordWriter, { strict: false });
    const row = await writer.writeTo(id, type, plan, (attempt) => changes.change(attempt));
    const history = await test.http().get(`${path}/${id}/revisions`).expect(200);
    return { tries, row, versions: history.body.data.map(({ version }: { version: number }) => version) };
  }

  it.each([
    ['a body', { body: 'own words' }],
    ['a slug', { body: 'own words', slug: 'own-slug' }],
  ])('is decided and written again: %s', async (title, change) => {
    const { tries, row, versions } = await changeTwice(title, change);

    expect([tries, row.version, row.body]).toEqual([2, 3, 'own words']);
    expect(versions).toEqual([3, 2, 1]);
  });
});
