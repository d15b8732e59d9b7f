import { SECRETS } from '../support/child-service.js';
import { waitFor } from '../support/mailbox.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { CLIENT, GATEWAY_SECRET, TwoHops } from '../support/two-hops.js';

const TOKEN = { Authorization: `Bearer ${SECRETS.token}` };

describe('Behind one hop of nginx', () => {
  let database: TestDatabase;
  let hop: TwoHops;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    hop = await TwoHops.startOne(database);
  });

  afterAll(async () => {
    await hop.stop();
    await database.drop();
  });

  it('a record is written and read by its address', async () => {
    const made = await hop.call('POST', '/api/cms/post', { headers: TOKEN, body: { title: 'Hello' } });
    const read = await hop.call('GET', made.headers.location ?? '', { headers: TOKEN });

    expect([made.status, read.status, read.body.data.title]).toEqual([201, 200, 'Hello']);
  });

  it('nobody is somebody by the headers of a gateway', async () => {
    const lies = { 'X-Gateway-Secret': GATEWAY_SECRET, 'X-Forwarded-User': 'ann', 'X-Forwarded-Groups': 'cms-admins' };

    expect((await hop.call('GET', '/api/auth/me', { headers: lies })).status).toBe(401);
  });

  it('a client is known by its own address, whatever it says', async () => {
    const body = { email: 'nobody@example.com', password: 'not a password of anybody' };
    await hop.call('POST', '/api/auth/login', { headers: { 'X-Forwarded-For': '203.0.113.9' }, body });
    const failed = await waitFor(async () => {
      const { body: audit } = await hop.call('GET', '/api/admin/audit?event=login&outcome=failure', { headers: TOKEN });
      return (audit.data as readonly { readonly ip: string }[])[0];
    }, 'the failed login in the audit');

    expect(failed.ip).toBe(CLIENT);
  });
});

describe('Behind one hop of nginx, below a path', () => {
  let database: TestDatabase;
  let hop: TwoHops;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    hop = await TwoHops.startOne(database, { BASE_PATH: '/cms' }, { 'gzip_min_length 4096;': 'gzip_min_length 1;' });
  });

  afterAll(async () => {
    await hop.stop();
    await database.drop();
  });

  it('answers are packed, but for those with secrets', async () => {
    const headers = { ...TOKEN, 'Accept-Encoding': 'gzip' };
    const [records, caller] = await Promise.all(
      ['/cms/api/cms/post', '/cms/api/auth/me'].map((path) => hop.call('GET', path, { headers })),
    );

    expect([records?.status, records?.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect([caller?.status, caller?.headers['content-encoding']]).toEqual([200, undefined]);
  });
});
