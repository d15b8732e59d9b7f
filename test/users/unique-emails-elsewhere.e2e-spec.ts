import { join } from 'node:path';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { IndexWork } from '../../src/content-types/changes/index-work.js';
import { execute, select } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { runner } from '../support/cli-runner.js';
import { folderOf } from '../support/import-files.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { typeRequests } from '../support/type-requests.js';

const MAIL = { name: 'mail', type: 'email', unique: true, indexed: true };
const EXACT = { ...MAIL, exact: true };

describe('How a unique e-mail field compares', () => {
  let service: TestApp;
  const { aTypeWith, aRecord } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(async () => {
    await service.close();
  });

  const cli = ({ database }: TestApp) => runner({ DATABASE_URL: database.url });
  const typeIn = async (app: TestApp, name: string) =>
    (await app.http().get(`/api/admin/types/${name}`).expect(200)).body.data;
  const compiled = (name: string) => {
    service.app.get(ContentTypesService).refresh();
    return service.app.get(ContentTypesService).require(name);
  };

  /** Makes the stored options of the only field of a type others, as another release or another process may. */
  async function store(type: string, rules: object): Promise<void> {
    const key = (await compiled(type)).fields[0]?.key ?? 0;
    await service.app.get(UnitOfWork).run(async (manager) => {
      const sql = 'SELECT options FROM content_fields WHERE id = ?';
      const [row] = await select<{ options: string }>(manager, sql, [key]);
      const options = JSON.stringify({ ...(JSON.parse(row?.options ?? '{}') as object), ...rules });
      await execute(manager, 'UPDATE content_fields SET options = ? WHERE id = ?', [options, key]);
      await execute(manager, 'UPDATE content_types SET version = version + 1 WHERE name = ?', [type]);
    });
    service.app.get(ContentTypesService).refresh();
  }

  it('is what it was, after the next start, where the service ended before a value turned out to repeat', async () => {
    const type = await aTypeWith([EXACT]);
    await aRecord(type, { mail: 'A@b.com' });
    await aRecord(type, { mail: 'a@b.com' });
    await store(type, { exact: false, isRekeyed: true, builder: 'gone' });
    expect((await typeIn(service, type)).fields[0]).toMatchObject({ exact: false, building: true });
    expect((await typeIn(service, type)).fields[0]).not.toHaveProperty('isRekeyed');

    await service.app.get(IndexWork).resume();

    expect((await typeIn(service, type)).fields[0]).toMatchObject({ unique: true, exact: true });
    const [field] = (await compiled(type)).fields;
    expect([field?.building, field?.isRekeyed]).toEqual([undefined, undefined]);
    expect((await service.http().get(`/api/cms/${type}?filter[mail]=A@b.com`)).body.meta.total).toBe(1);
  });

  it('keeps what it is to be while its type is changed in another way before the index is whole', async () => {
    const type = await aTypeWith([EXACT]);
    await aRecord(type, { mail: 'A@b.com' });
    await store(type, { exact: false, isRekeyed: true, builder: 'gone' });

    await service
      .http()
      .put(`/api/admin/types/${type}`)
      .send({ fields: [{ ...MAIL, label: 'Address' }] })
      .expect(200);

    expect((await typeIn(service, type)).fields[0]).toMatchObject({ label: 'Address', exact: false });
    expect((await service.http().get(`/api/cms/${type}?filter[mail]=a@b.com`)).body.data).toHaveLength(1);
  });

  it('is asked by an import, which goes on without an item whose address is taken', async () => {
    const type = await aTypeWith([MAIL]);
    await aRecord(type, { mail: 'There@b.com' });
    const rows = 'id,title,mail\n1,One,A@b.com\n2,Two,a@B.com\n3,Three,there@b.com\n4,Four,d@b.com\n';
    const { path, remove } = folderOf({ 'mails.csv': rows });

    const { out } = await cli(service)(['import', join(path, 'mails.csv'), '--type', type, '--json']);
    remove();

    const report = JSON.parse(out);
    expect(report.counts).toMatchObject({ created: 2, refused: 2 });
    expect(report.problems.map(({ line, message }: { line: number; message: string }) => [line, message])).toEqual([
      [3, 'Another record has this mail.'],
      [4, 'Another record has this mail.'],
    ]);
  });
});
