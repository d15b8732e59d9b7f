import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { folderOf } from '../support/import-files.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { typeRequests } from '../support/type-requests.js';

const MAIL = { name: 'mail', type: 'email', unique: true, indexed: true };

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
