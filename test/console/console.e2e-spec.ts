import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SCRIPT = 'console.log("The console");';
const PAGE = '<!doctype html><head><!-- place --><script type="module" src="./assets/index-1.js"></script></head>';

/** A console as `scripts/console.mjs` leaves it, though a small one. */
function aConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets/index-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-1.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets/secret.txt'), 'in no list');
  writeFileSync(join(folder, 'console.json'), JSON.stringify(['index-1.js', 'index-1.js.gz']));
  return folder;
}

describe('The console', () => {
  const folder = aConsole();
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp(
      {
        PUBLIC_URL: 'https://cms.example.org',
        CORS_ORIGINS: 'https://other.example.org',
        MAIL_FROM: 'A & B <a@example.org>',
      },
      { consoleFolder: folder },
    );
  });

  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const get = (path: string) => service.anonymous().get(path);

  it.each([
    ['/admin', 'admin/'],
    ['/admin/', './'],
    ['/admin/login', './'],
    ['/admin/content/post', '../'],
    ['/admin/content/post/7', '../../'],
  ])('is one page at %s, from which %s leads to its files', async (path, base) => {
    const { status, headers, text } = await get(path);

    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain(`<head><base href="${base}">`);
  });

  it('is told the name of the service, and the origins at which a browser keeps a session', async () => {
    const { text } = await get('/admin');

    expect(text).toContain('data-service="A &amp; B"');
    expect(text).toContain('data-origins="https://cms.example.org https://other.example.org"');
  });

  it('runs nothing that stands inside the page, and lets styles in by a nonce that is good for one answer', async () => {
    const answers = [await get('/admin'), await get('/admin')];

    const nonces = answers.map(({ text, headers }) => {
      const nonce = /<meta name="place" nonce="([\w+/=]{24})"/.exec(text)?.[1] ?? '';
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).not.toContain('unsafe');
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  it.each([
    ['gzip, br', 'gzip'],
    ['identity', null],
  ])('has files for a year, for clients that take %s packed by %s', async (accepted, encoding) => {
    const address = `${await service.app.getUrl()}/admin/assets/index-1.js`;
    const answer = await fetch(address, { headers: { 'Accept-Encoding': accepted } });

    const { status, headers } = answer;
    expect([status, await answer.text(), headers.get('content-encoding')]).toEqual([200, SCRIPT, encoding]);
    expect([headers.get('content-type'), headers.get('cache-control'), headers.get('vary')]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      'Accept-Encoding',
    ]);
  });

  it.each([
    '/admin/assets/gone-2.js',
    '/admin/assets/secret.txt',
    '/admin/assets/..%2findex.html',
    '/admin/favicon.ico',
    '/admin/content/logo.png',
  ])('has no page in the place of a file that is missing: %s', async (path) => {
    const { status, body } = await get(path);

    expect([status, body.error]).toEqual([404, 'not_found']);
  });

  it('is where the root leads to in a browser, and not in a program', async () => {
    const browser = await get('/').set('Accept', 'text/html,*/*');

    expect([browser.status, browser.headers.location]).toEqual([303, 'admin/']);
    expect((await get('/')).body.name).toBe('Content API');
    expect((await get('/api').set('Accept', 'text/html,*/*')).text).toContain('Documentation');
  });

  it('may be led back to by a provider or a mailed link', async () => {
    const ask = (target: string) =>
      service.anonymous().post('/api/auth/magic-link').send({ email: 'ann@example.com', redirect_to: target });

    expect((await ask('https://cms.example.org/admin/login')).status).toBe(200);
    expect((await ask('https://cms.example.org/admin/login?to=/elsewhere')).status).toBe(422);
  });
});

describe('A service without a console that is built', () => {
  it('answers 404 at /admin, and shows at its root what there is', async () => {
    const service = await startTestApp();

    const page = await service.anonymous().get('/admin').set('Accept', 'text/html');
    const root = await service.anonymous().get('/').set('Accept', 'text/html');

    expect([page.status, root.status]).toEqual([404, 200]);
    expect(root.text).toContain('Documentation');
    await service.close();
  });
});
