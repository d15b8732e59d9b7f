import { OpenApiRegistry } from '../../src/common/openapi/openapi.registry.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Documentation', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ PUBLIC_URL: 'https://cms.example.org' });
  });

  afterAll(() => service.close());

  describe('GET /api/openapi.json', () => {
    it('answers an OpenAPI 3.1 document without a credential', async () => {
      const answer = await service.anonymous().get('/api/openapi.json');

      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.body).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://cms.example.org' }] });
    });

    it('answers 304 while nothing has changed', async () => {
      const { headers } = await service.anonymous().get('/api/openapi.json');

      const answer = await service.anonymous().get('/api/openapi.json').set('If-None-Match', String(headers.etag));

      expect(answer.status).toBe(304);
    });

    describe('is made', () => {
      let turn = 0;
      let turns: number[] = [];
      let timer: NodeJS.Immediate;

      const count = (): void => {
        turn += 1;
        timer = setImmediate(count);
      };
      const ask = () => service.anonymous().get('/api/openapi.json');
      const relabel = (label: string) => service.http().put('/api/admin/types/post').send({ label }).expect(200);

      beforeAll(() => {
        count();
        service.app.get(OpenApiRegistry).addOfTypes(() =>
          Promise.resolve(() => {
            turns.push(turn);
            return { paths: {} };
          }),
        );
      });

      beforeEach(() => {
        turns = [];
      });

      afterAll(() => {
        clearImmediate(timer);
      });

      it('once for all who ask at the same time, each type in a turn of the event loop of its own', async () => {
        await relabel('Note');

        const answers = await Promise.all([ask(), ask(), ask(), ask()]);

        expect(turns).toHaveLength(2);
        expect(new Set(turns).size).toBe(2);
        expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
        expect(answers[0].text).toContain('Create: Note');
      });

      it('anew when a type has changed, and otherwise sent as it is', async () => {
        await relabel('Entry');
        const first = await ask();
        const second = await ask();
        await ask().set('If-None-Match', String(first.headers.etag)).expect(304);
        const madeBefore = turns.length;
        await relabel('Article');
        const third = await ask().set('If-None-Match', String(first.headers.etag));

        expect([madeBefore, turns.length]).toEqual([2, 4]);
        expect(second.text).toBe(first.text);
        expect(third.status).toBe(200);
        expect(Number(third.headers['content-length'])).toBe(Buffer.byteLength(third.text));
      });
    });

    it('has its groups in the order in which newcomers need them: sign-in, content, then the rest', async () => {
      const { tags } = (await service.anonymous().get('/api/openapi.json')).body as { tags: { name: string }[] };

      expect(tags.map(({ name }) => name)).toEqual([
        ...['Sign-in', expect.stringContaining('page'), expect.stringContaining('post')],
        ...['Working copies', 'Search', 'Content types', 'Taxonomy', 'API tokens', 'Users', 'Audit'],
        ...['Documentation', 'Health', 'Sitemap', 'Token keys'],
      ]);
    });

    it('has a reason to be there for every component', async () => {
      const { body } = await service.anonymous().get('/api/openapi.json');

      const text = JSON.stringify(body);
      const { securitySchemes: _, ...components } = body.components as Record<string, object>;
      const unused = Object.entries(components).flatMap(([kind, members]) =>
        Object.keys(members).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
      );

      expect(unused).toEqual([]);
    });
  });

  describe('GET / and GET /api', () => {
    const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

    it.each(['/', '/api', '/api/'])('say to programs at %s what this is, and where its parts are', async (path) => {
      for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.9']) {
        const { status, headers, body } = await service.anonymous().get(path).set('Accept', accept);

        expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
        expect(headers.vary).toBe('Accept');
        expect(body).toMatchObject({ name: 'Content API', version: expect.any(String) });
        for (const link of Object.values(body.links as Record<string, string>)) {
          await service.anonymous().get(link).expect(200);
        }
      }
    });

    it.each(['/', '/api', '/api/'])('show browsers at %s a page with links that are there', async (path) => {
      const { text, headers } = await service.anonymous().get(path).set('Accept', BROWSER);
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => new URL(link ?? '', `http://x${path}`));

      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(text).not.toMatch(/<script|\son\w+=|style=|https?:/);
      expect(links).toHaveLength(4);
      for (const { pathname } of links) await service.anonymous().get(pathname).expect(200);
    });
  });

  describe('GET /api/docs', () => {
    it('answers a page that loads nothing from elsewhere and runs nothing that stands inside it', async () => {
      const answer = await service.anonymous().get('/api/docs');

      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
      expect(answer.headers['content-security-policy']).not.toContain('unsafe');
      expect(answer.text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    });

    it('serves each file of the page with its type and for a long time', async () => {
      const { text } = await service.anonymous().get('/api/docs');
      const files = [...text.matchAll(/(?:src|href)="(docs\/assets\/[^"]+)"/g)].map(([, file]) => `/api/${file}`);

      const answers = await Promise.all(files.map((file) => service.anonymous().get(file)));

      expect(files).toHaveLength(4);
      for (const [index, { status, headers }] of answers.entries()) {
        expect(status).toBe(200);
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(headers['content-type']).toMatch(files[index]?.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      }
    });

    it('has relative addresses, which lead to the same files from /api/docs and from /api/docs/', async () => {
      const addresses = async (path: string) => {
        const { text } = await service.anonymous().get(path);
        return [...text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(
          ([, address]) => new URL(address ?? '', `https://example.com/cms${path}`).pathname,
        );
      };

      expect(await addresses('/api/docs/')).toEqual(await addresses('/api/docs'));
      expect(await addresses('/api/docs')).toContain('/cms/api/openapi.json');
    });

    it.each(['package.json', '..%2fpackage.json', 'swagger-ui.js', 'constructor'])(
      'answers 404 for %s, which is no file of the page',
      async (name) => {
        const { text } = await service.anonymous().get('/api/docs');
        const version = /assets\/(\w+)\//.exec(text)?.[1] ?? '';

        const answer = await service.anonymous().get(`/api/docs/assets/${version}/${name}`);

        expect(answer.status).toBe(404);
        expect(answer.body.error).toBe('not_found');
      },
    );
  });
});

describe('DOCS', () => {
  const links = async (service: TestApp): Promise<string[]> => {
    const { body } = await service.anonymous().get('/').expect(200);
    return Object.keys(body.links as object);
  };
  const statuses = async (service: TestApp): Promise<number[]> => {
    const answers = [
      await service.anonymous().get('/api/openapi.json'),
      await service.http().get('/api/openapi.json'),
      await service.http().get('/api/docs'),
    ];
    return answers.map(({ status }) => status);
  };

  it.each([
    ['public', [200, 200, 200], ['docs', 'openapi', 'health', 'sitemap']],
    ['token', [401, 200, 404], ['openapi', 'health', 'sitemap']],
    ['off', [404, 404, 404], ['health', 'sitemap']],
  ])('%s decides who reads the description, and the first page names what is there', async (DOCS, wanted, named) => {
    const service = await startTestApp({ DOCS });

    expect(await statuses(service)).toEqual(wanted);
    expect(await links(service)).toEqual(named);
    const page = await service.anonymous().get('/').set('Accept', 'text/html').expect(200);
    expect([page.text.includes('api/docs'), page.text.includes('api/openapi.json')]).toEqual([
      named.includes('docs'),
      named.includes('openapi'),
    ]);
    await service.close();
  });

  it('token says so in the description, and leaves out the page', async () => {
    const service = await startTestApp({ DOCS: 'token' });
    const { paths } = (await service.http().get('/api/openapi.json').expect(200)).body as {
      paths: Record<string, { get: { security?: unknown } }>;
    };

    expect(paths['/api/docs']).toBeUndefined();
    expect(paths['/api/openapi.json']?.get.security).not.toEqual([]);
    await service.close();
  });
});
