import { SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { TwoHops, type Came } from '../support/two-hops.js';

const TOKEN = { Authorization: `Bearer ${SECRETS.token}` };
const PASS = 'proxy_pass http://content_service;';

/** As the README of `deploy/nginx` says it. */
describe('Behind hops of which the inner one takes the path off', () => {
  let database: TestDatabase;
  let hops: TwoHops;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    hops = await TwoHops.start(
      database,
      { BASE_PATH_STRIPPED: 'yes' },
      { inner: { [PASS]: `rewrite ^/cms/?(.*)$ /$1 break; ${PASS}` } },
    );
  });

  afterAll(async () => {
    await hops.stop();
    await database.drop();
  });

  const call = (method: string, path: string, body?: object): Promise<Came> =>
    hops.call(method, path, { headers: TOKEN, body });

  it('the service names the same addresses, and answers at them', async () => {
    const made = await call('POST', '/cms/api/cms/post', { title: 'Über', slug: 'über-café', status: 'published' });
    const place = String(made.headers.location);
    const changed = await call('PUT', place, { title: 'Anew' });
    const [found, home, document] = await Promise.all(
      ['/cms/api/cms/post/slug:%C3%BCber-caf%C3%A9?fields=title', '/cms', '/cms/api/openapi.json'].map((path) =>
        call('GET', path),
      ),
    );
    const signIn = await hops.call('POST', '/cms/api/auth/login', { body: { email: 'x@example.com', password: 'x' } });

    expect(place).toBe(`/cms/api/cms/post/${made.body.data.id}`);
    expect([changed.status, found?.body.data.title]).toEqual([200, 'Anew']);
    expect(home?.body.links.docs).toBe('/cms/api/docs');
    expect(document?.body.servers).toEqual([{ url: 'https://cms.example.com/cms' }]);
    expect(signIn.body.error).toBe('invalid_credentials');
  });

  it('asks it about callers', async () => {
    expect((await call('GET', '/preview/table.csv')).status).toBe(200);
    expect((await hops.call('GET', '/preview/table.csv')).status).toBe(401);
  });

  it('a slash that a client has written as %2F is one', async () => {
    expect((await call('GET', '/cms/api/cms/post/slug:a%2Fb')).body.error).toBe('not_found');
  });
});
