import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { waitFor } from '../support/mailbox.js';
import { locsOf } from '../support/sitemap.js';
import type { TestDatabase } from '../support/test-database.js';

const SITE = 'https://cms.example.com';

describe('The sitemap of several processes on one database', () => {
  let database: TestDatabase;
  let children: Child[];

  beforeEach(async () => {
    database = await createMigratedDatabase();
    children = [];
  });

  afterEach(async () => {
    await Promise.all(children.map((child) => child.kill('SIGKILL')));
    await database.drop();
  });

  async function start(): Promise<{ child: Child; address: string }> {
    const child = new Child('main.js', [], production(database));
    children.push(child);
    return { child, address: await child.address() };
  }

  const paths = async (address: string): Promise<string[]> =>
    locsOf(await (await fetch(`${address}/sitemap.xml`)).text()).map((loc) => loc.replace(SITE, ''));

  async function expectSoon(address: string, expected: readonly string[]): Promise<void> {
    await waitFor(
      async () => ((await paths(address)).join() === expected.join() ? true : null),
      `the paths ${expected.join()}`,
    );
  }

  async function write(address: string, method: string, path: string, body?: object): Promise<number> {
    const answer = await call(address, method, path, body);
    const text = await answer.text();
    expect([path, answer.ok, answer.ok ? '' : text]).toEqual([path, true, '']);
    return text === '' ? 0 : (JSON.parse(text) as { data: { id: number } }).data.id;
  }

  it('shows in each what another one has changed of a type within seconds', async () => {
    const [{ address: a }, { address: b }] = [await start(), await start()];
    const id = await write(a, 'POST', '/api/cms/post', { title: 'One', slug: 'one', status: 'published' });
    expect(await paths(b)).toEqual(['/post/one']);

    await write(a, 'PUT', '/api/admin/types/post', { url_path: '/p/{id}' });

    expect(await paths(a)).toEqual([`/p/${id}`]);
    await expectSoon(b, [`/p/${id}`]);
    await write(b, 'PUT', '/api/admin/types/post', { sitemap: false });
    await expectSoon(a, ['/']);
  });

  it('has every change that was acknowledged before a process was killed', async () => {
    const { child, address } = await start();
    const expected: string[] = [];
    for (let i = 1; i <= 20; i += 1) {
      const id = await write(address, 'POST', '/api/cms/post', { title: 'x', slug: `post-${i}`, status: 'published' });
      if (i % 4 === 0) await write(address, 'DELETE', `/api/cms/post/${id}`);
      else expected.push(`/post/post-${i}`);
      if (i === 10) await paths(address);
    }

    await child.kill('SIGKILL');

    expect(await paths((await start()).address)).toEqual(expected);
  });
});
