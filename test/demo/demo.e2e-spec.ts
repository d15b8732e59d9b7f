import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../src/config/settings.js';
import { curlLine, localOrigin } from '../../src/demo/banner.js';
import { prepareDemo, type Demo } from '../../src/demo/demo.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('The demo', () => {
  let service: TestApp;
  let dataDir: string;
  let first: Demo;
  let token: string;

  const port = (): number => (service.app.getHttpServer().address() as AddressInfo).port;
  const start = (): Promise<Demo> =>
    prepareDemo(service.app, Object.assign({}, service.app.get(Settings), { dataDir }));
  const tokenOf = async (): Promise<string> =>
    /^cms_\w+$/m.exec(await readFile(join(dataDir, 'first-run.txt'), 'utf8'))?.[0] ?? '';

  beforeAll(async () => {
    service = await startTestApp();
    dataDir = await mkdtemp(join(tmpdir(), 'cms-demo-'));
    first = await start();
    token = await tokenOf();
  });

  afterAll(async () => {
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('fills an empty database with posts, pages and people', async () => {
    expect(first.seeded).toEqual({ posts: 12, pages: 4, people: 3 });

    const posts = await service.http(token).get('/api/cms/post?expand=author&per_page=100');
    expect(posts.body.meta.total).toBe(12);
    expect(new Set(posts.body.data.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['draft', 'published', 'archived']),
    );
    expect(posts.body.data[0].terms).toMatchObject({
      category: [{ slug: 'science' }],
      tag: [{ slug: 'light-pollution' }, {}],
    });
    const observing = await service.http(token).get('/api/cms/post?filter[category][under]=observing');
    expect(observing.body.meta.total).toBe(6);
    expect(posts.body.data[0].author).toMatchObject({ type: 'person', status: 'published', slug: 'mira-halvorsen' });
  });

  it('prints a banner with a line of curl that works', async () => {
    const banner = first.banner(port());

    expect(banner).toContain('· demo · node ');
    expect(banner).toContain('(12 posts)');
    const line = curlLine({ basePath: '', origin: localOrigin('127.0.0.1', port()), token });
    expect(banner).toContain(line);
    const [, header = '', url = ''] = /^curl -H "Authorization: (.+?)" "(.+?)"$/.exec(line) ?? [];
    const answer = await fetch(url.replace('localhost', '127.0.0.1'), { headers: { Authorization: header } });
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(3);
  });

  it('prints the address that signs in to the console first, since it is the one to open', () => {
    expect(first.banner(port())).toMatch(new RegExp(`Console +http://localhost:${port()}/admin/login#once=\\S+ `));
  });

  it('keeps its token in a file for the owner alone', async () => {
    expect((await stat(join(dataDir, 'first-run.txt'))).mode & 0o777).toBe(0o600);
  });

  it('has an admin who can sign in as the banner says, and whose password is in a file for the owner alone', async () => {
    const [, email, password] = /Sign in +(\S+) +(\S+)/.exec(first.banner(port())) ?? [];

    const answer = await service.anonymous().post('/api/auth/login').send({ email, password });

    expect([answer.status, answer.body.user.role]).toEqual([200, 'admin']);
    expect((await stat(join(dataDir, 'first-admin.txt'))).mode & 0o777).toBe(0o600);
    expect((await start()).banner(port())).toContain(password);
  });

  it('gives the admin another password when that file is lost', async () => {
    await rm(join(dataDir, 'first-admin.txt'));

    const [, email, password] = /Sign in +(\S+) +(\S+)/.exec((await start()).banner(port())) ?? [];

    expect((await service.anonymous().post('/api/auth/login').send({ email, password })).status).toBe(200);
  });

  it('finds everything as it was left when it starts again', async () => {
    const http = service.http(token);
    await http.put('/api/cms/post/slug:why-stars-twinkle').send({ title: 'Why they twinkle' });
    await http.delete('/api/cms/post/slug:the-dome-is-open-again');

    const second = await start();

    expect(second.seeded).toBeNull();
    expect(await tokenOf()).toBe(token);
    expect(second.banner(port())).toContain('(11 posts)');
    const post = await http.get('/api/cms/post/slug:why-stars-twinkle?fields=title');
    expect(post.body.data).toEqual({ title: 'Why they twinkle' });
  });

  it.each([
    ['is lost', () => rm(join(dataDir, 'first-run.txt'))],
    ['has a token of another database', () => writeFile(join(dataDir, 'first-run.txt'), `cms_${'x'.repeat(44)}\n`)],
  ])('makes a new token when the file %s', async (_, lose) => {
    await lose();

    await start();

    const fresh = await tokenOf();
    expect(fresh).not.toBe(token);
    expect((await service.http(fresh).get('/api/cms/post')).status).toBe(200);
    expect((await stat(join(dataDir, 'first-run.txt'))).mode & 0o777).toBe(0o600);
  });
});
