import type { AddressInfo } from 'node:net';
import { expectError } from '../support/errors.js';
import { sendRaw } from '../support/raw-http.js';
import { routesOf } from '../support/routes.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

describe('Paths and verbs', () => {
  let service: TestApp;
  let port: number;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    ({ port } = service.app.getHttpServer().address() as AddressInfo);
  });

  afterAll(() => service.close());

  const ask = async (method: string, path: string) => {
    const { answers } = await sendRaw(
      port,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKENS.admin}\r\nConnection: close\r\n\r\n`,
    );
    const [answer] = answers;
    return { status: answer?.status, error: answer?.body?.error, allow: answer?.headers.allow };
  };

  it('answers 405 with Allow to every wrong verb on every path that it knows', async () => {
    const routes = routesOf(service.app);
    const paths = [...new Set(routes.map(({ path }) => path))].map((path) =>
      path.replace('/cms/:type', '/cms/post').replace(/:\w+/g, '99999'),
    );

    for (const path of paths) {
      const { allow } = await ask('PROPFIND', path);
      expect([path, allow]).toEqual([path, expect.stringMatching(/^[A-Z]+(, [A-Z]+)*$/)]);
      for (const method of VERBS.filter((verb) => !allow?.split(', ').includes(verb))) {
        const answer = await ask(method, path);
        const expected = { status: 405, allow, ...(method === 'HEAD' ? {} : { error: 'method_not_allowed' }) };
        expect({ method, path, ...answer }).toEqual({ error: undefined, method, path, ...expected });
      }
      for (const method of allow?.split(', ') ?? []) {
        expect([method, path, (await ask(method, path)).status]).not.toContain(405);
      }
    }
  });

  it.each([
    ['POST', '/api/cms/types', 405, 'method_not_allowed'],
    ['PUT', '/api/cms/types/post', 405, 'method_not_allowed'],
    ['DELETE', '/api/cms/types/post', 405, 'method_not_allowed'],
    ['GET', '/HEALTH/live', 404, 'not_found'],
    ['GET', '/api/cms/Types', 404, 'type_not_found'],
    ['POST', '/api/cms/Types', 404, 'type_not_found'],
    ['POST', '/health/live/', 405, 'method_not_allowed'],
    ['POST', 'http://x/health/live', 405, 'method_not_allowed'],
    ['POST', '/health/%6Cive', 404, 'not_found'],
    ['GET', '/api/cms/search/revisions', 404, 'type_not_found'],
    ['GET', '/api/cms/taxonomy', 405, 'method_not_allowed'],
    ['PUT', '/api/cms/taxonomy/category', 405, 'method_not_allowed'],
    ['GET', '/api/cms/taxonomy/1', 404, 'taxonomy_not_found'],
    ['GET', '/api/cms/taxonomy/__proto__', 404, 'taxonomy_not_found'],
    ['GET', '/api/cms/taxonomy/constructor', 404, 'taxonomy_not_found'],
    ['GET', '/api/cms/taxonomy/Category', 404, 'taxonomy_not_found'],
    ['GET', '/api/cms/taxonomy/category/x', 404, 'term_not_found'],
    ['GET', '/api/cms/taxonomy/category/slug:', 404, 'term_not_found'],
    ['GET', '/api/cms/taxonomy/category/99999999999999999', 404, 'term_not_found'],
    ['POST', '/api/cms/taxonomy/category/1/merge/2', 404, 'not_found'],
    ['GET', '/api/cms/%74ypes', 404, 'type_not_found'],
    ['POST', '/api/cms/%74ypes', 404, 'type_not_found'],
    ['GET', '/api/cms/__proto__/1', 404, 'type_not_found'],
    ['GET', '/api/cms/constructor', 404, 'type_not_found'],
    ['GET', '/api/cms/toString', 404, 'type_not_found'],
    ['GET', '/api/cms/POST', 404, 'type_not_found'],
    ['GET', '/api/cms/post%00', 404, 'type_not_found'],
    ['GET', '/api/cms/post%2F1', 404, 'type_not_found'],
    ['GET', '/api/cms/../users', 404, 'type_not_found'],
    ['GET', '/__proto__/1', 404, 'not_found'],
    ['GET', '/%74ypes', 404, 'not_found'],
    ['POST', '/', 405, 'method_not_allowed'],
    ['POST', '/api', 405, 'method_not_allowed'],
    ['GET', '/API', 404, 'not_found'],
    ['GET', '//', 404, 'not_found'],
    ['GET', '//health/live', 404, 'not_found'],
    ['GET', '/health//live', 404, 'not_found'],
    ['GET', '/%E0%A4%A', 404, 'not_found'],
    ['GET', '/api/%E0%A4%A', 404, 'not_found'],
    ['GET', '/api/cms/%E0%A4%A', 404, 'type_not_found'],
    ['POST', '/api/cms/%E0%A4%A', 404, 'type_not_found'],
    ['GET', '/api/cms/post/%ff', 404, 'record_not_found'],
    ['PUT', '/api/cms/post/%', 404, 'record_not_found'],
    ['GET', '/api/cms/taxonomy/%ff/x', 404, 'taxonomy_not_found'],
    ['GET', '/api/users/%E0%A4%A', 404, 'user_not_found'],
    ['GET', '/api/users/%E0%A4%A?%', 400, 'invalid_query'],
    ['DELETE', '/api/admin/tokens/%zz', 404, 'token_not_found'],
    ['GET', 'http://x/api/users/%zz', 404, 'user_not_found'],
    ['GET', '/api/cms/post/1/2/3/4', 404, 'not_found'],
    ['GET', '/../../etc/passwd', 404, 'not_found'],
    ['OPTIONS', '*', 404, 'not_found'],
    ['TRACE', '/nothing', 404, 'not_found'],
  ])('answers %s %s with %d %s', async (method, path, status, error) => {
    expect(await ask(method, path)).toMatchObject({ status, error });
  });

  it.each(['/health/live', '/health/live/', 'http://x/health/live'])('knows %s', async (path) => {
    expect(await ask('GET', path)).toMatchObject({ status: 200 });
  });

  it('asks for a credential before it says whether a record or a type is there', async () => {
    for (const path of ['/api/cms/post/1', '/api/cms/nothing', '/api/cms/nothing/1', '/api/admin/tokens/1']) {
      expectError(await service.anonymous().get(path), 'unauthorized');
    }
    for (const path of ['/api/users/%E0%A4%A', '/api/cms/%ff', '/api/cms/post/%']) {
      const { answers } = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answers).toMatchObject([{ status: 401, body: { error: 'unauthorized' } }]);
    }
  });

  it('reads an address of 8,192 characters and answers 414 to a longer one', async () => {
    const path = (length: number) => '/health/live?'.padEnd(length, 'x');

    await service.anonymous().get(path(8_192)).expect(200);
    for (const length of [8_193, 9_000, 15_000]) {
      expectError(await service.anonymous().get(path(length)), 'uri_too_long');
    }
    expect(await ask('GET', path(40_000))).toMatchObject({ status: 414, error: 'uri_too_long' });
  });

  it('refuses query parameters that it does not know and ones that are sent twice, naming them', async () => {
    for (const [query, field, rule] of [
      ['colour=red', 'colour', 'unknown'],
      ['page=1&page=2', 'page', 'repeated'],
      ['filter[title]=a&filter[title]=a', 'filter[title]', 'repeated'],
      ['page[]=1', 'page[]', 'unknown'],
      ['__proto__[x]=1', '__proto__[x]', 'unknown'],
      ['=x', '', 'unknown'],
    ] as const) {
      const answer = await service.http().get(`/api/cms/post?${query}`);
      expectError(answer, 'invalid_query');
      expect(answer.body.details).toMatchObject([{ field, rule }]);
    }
  });

  it('refuses query parameters that it does not know on every route that asks for a credential', async () => {
    const routes = routesOf(service.app).filter(({ path }) => /^\/api\/(?:cms|admin|users)/.test(path));

    const answers = await Promise.all(
      routes.map(async ({ path, method }) => {
        const known = path.replace('/cms/:type', '/cms/post').replace('/:taxonomy', '/category');
        const address = known.replace(/:\w+/g, '99999');
        const { status, error } = await ask(method, `${address}?colour=red`);
        return { method, path, status, error };
      }),
    );

    expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
    expect(answers.length).toBeGreaterThan(40);
  });
});
