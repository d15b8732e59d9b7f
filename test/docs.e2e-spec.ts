import { startTestApp, type TestApp } from './support/test-app.js';

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
      const files = [...text.matchAll(/(?:src|href)="(\/api\/docs\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '');

      const answers = await Promise.all(files.map((file) => service.anonymous().get(file)));

      expect(files).toHaveLength(4);
      for (const [index, { status, headers }] of answers.entries()) {
        expect(status).toBe(200);
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(headers['content-type']).toMatch(files[index]?.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      }
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
