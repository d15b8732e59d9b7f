import { createServer, type AddressInfo } from 'node:net';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { call, Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { runner } from '../support/cli-runner.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const server = process.env.TEST_DATABASE_URL;
const isServer = server !== undefined;

describe('Starting the service', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });

  afterAll(() => database.drop());

  /** What the operator sees where the service does not start: sentences, no stack, and no secret. */
  async function refusal(environment: Record<string, string>): Promise<{ code: number | null; text: string }> {
    const child = new Child('main.js', [], environment);
    const { code } = await child.ended;
    const all = child.stdout + child.stderr;
    expect(all).not.toMatch(/^\s+at /m);
    expect(all).not.toMatch(/"stack"|node_modules/);
    expect(child.stdout).not.toContain(child.stderr.trim());
    for (const secret of [...Object.values(SECRETS), 'hunter2']) expect(all).not.toContain(secret);
    return { code, text: child.stderr };
  }

  it.each<[string, Record<string, string>]>([
    ['unset', {}],
    ['production', { NODE_ENV: 'production' }],
  ])('names everything that is missing at once when NODE_ENV is %s and nothing is set', async (_, environment) => {
    const { code, text } = await refusal(environment);

    expect(code).toBe(78);
    for (const name of ['APP_SECRET', 'PUBLIC_URL', 'DATABASE_URL']) expect(text).toContain(`- ${name} is not set.`);
  });

  it('names everything that does not fit at once, and repeats no secret', async () => {
    const { code, text } = await refusal({
      ...production(database),
      PORT: 'http',
      APP_SECRET: 'hunter2',
      API_TOKENS: 'ci=hunter2',
      TRUST_PROXY: 'true',
      DATABASE_URL: 'mysql://root:hunter2@',
      LOG_LEVEL: 'loud',
    });

    expect(code).toBe(78);
    for (const name of ['PORT', 'APP_SECRET', 'API_TOKENS', 'TRUST_PROXY', 'DATABASE_URL', 'LOG_LEVEL']) {
      expect(text).toMatch(new RegExp(`^  - ${name}[ :]`, 'm'));
    }
  });

  it.each(['/dev/null/cms', '/proc/cms', __filename])(
    'names DATA_DIR where nothing can be written: %s',
    async (path) => {
      const { code, text } = await refusal({ ...production(database), DATA_DIR: path });

      expect(code).toBe(78);
      expect(text).toMatch(
        new RegExp(`^ {2}- DATA_DIR is ${path}, and this user cannot write to that folder: [A-Z]+\\. .*$`, 'm'),
      );
    },
  );

  it('names the setting whose password has a % that is not encoded', async () => {
    const { code, text } = await refusal({
      ...production(database),
      PUBLIC_URL: 'https://ann:hunter2@cms.example.com',
      DATABASE_URL: 'mysql://root:hunter2%@db/cms',
    });

    expect(code).toBe(78);
    for (const name of ['PUBLIC_URL', 'DATABASE_URL']) expect(text).toMatch(new RegExp(`^  - ${name} `, 'm'));
  });

  it('says that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;

    const { code, text } = await refusal({ ...production(database), PORT: String(port) });

    expect([code, text]).toEqual([
      1,
      `Port ${port} is in use. Stop the other program or choose another port: PORT=3001.\n`,
    ]);
    other.close();
  });

  it.each([
    ['a host on which no server listens', 'mysql://cms:hunter2@127.0.0.1:1/cms'],
    ['a name that leads to two such hosts', 'mysql://cms:hunter2@localhost:1/cms'],
    ['a name that does not exist', 'mysql://cms:hunter2@nowhere.invalid/cms'],
    ...(server ? [['one that knows no such user', `${server.replace('root', 'cms:hunter2')}/cms`]] : []),
    ...(server ? [['one that has not been created', `${server}/cms_test_never_created`]] : []),
    ['a file where no file can be', 'sqlite:/dev/null/cms.sqlite'],
    ['a file that is no database', `sqlite:${__filename}`],
  ])('says in one sentence that the database is %s', async (_, url = '') => {
    const { code, text } = await refusal({ ...production(database), DATABASE_URL: url });

    expect(code).toBe(1);
    expect(text).toMatch(/^The database \S+ cannot be opened: .+\. Check DATABASE_URL\.\n$/);
  });

  it('creates the tables of an empty database, or names the command that does', async () => {
    const empty = await createTestDatabase();
    if (isServer) {
      const { code, text } = await refusal(production(empty));

      expect(code).toBe(1);
      expect(text).toMatch(/lacks \d+ migrations? .*Run: npm run migrate\.\n$/);
    } else {
      const child = new Child('main.js', [], production(empty));
      await child.address();

      expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });
    }
    await empty.drop();
  });

  it('leaves tables that a newer version has migrated alone, and says so, as the command line does', async () => {
    const newer = await createMigratedDatabase();
    const source = await openDataSource(dialectFor(newer.address).writerOptions());
    await source.query("INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'Future1999999999999')");
    const before = await source.query('SELECT * FROM migrations');
    const run = runner(production(newer));
    const sentence =
      'The database belongs to a newer version of the service, with Future1999999999999. Install that one.';

    expect(await refusal(production(newer))).toEqual({ code: 78, text: `${sentence}\n` });
    for (const command of [
      'migrate',
      'token create --name ci --scopes records:read',
      'user create --email ana@example.com --name Ana --role admin',
    ]) {
      expect([command, await run(command)]).toEqual([command, { code: 1, out: '', error: sentence }]);
    }
    const doctor = await run('doctor');
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`fail  migrations  ${sentence}`)]);
    expect(await source.query('SELECT * FROM migrations')).toEqual(before);

    await source.destroy();
    await newer.drop();
  });

  it('works for two processes that start on one empty database at once', async () => {
    const empty = await createTestDatabase();
    if (isServer) {
      const migrations = [1, 2].map(() => new Child('cli.js', ['migrate'], production(empty)));
      for (const child of migrations) expect([(await child.ended).code, child.stderr]).toEqual([0, expect.any(String)]);
    }

    const children = [1, 2].map(() => new Child('main.js', [], production(empty)));
    for (const child of children) {
      expect((await call(await child.address(), 'GET', '/api/cms/post')).status).toBe(200);
    }

    for (const child of children) expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });
    await empty.drop();
  });
});

describe('The log', () => {
  it('has a line of JSON for each request, with its id and its path but neither its query nor a secret', async () => {
    const database = await createMigratedDatabase();
    const child = new Child('main.js', [], production(database));
    const address = await child.address();
    await call(address, 'POST', '/api/cms/post', { title: 'Hello', body: 'hunter2' });
    await call(address, 'GET', '/api/cms/post?per_page=1&filter[title]=hunter2');
    await call(address, 'GET', '/api/cms/post?access_token=hunter2');
    await call(address, 'POST', '/api/users', {
      name: 'Ana',
      email: 'ana@example.com',
      password: 'hunter2 hunter2 hunter2',
    });
    await fetch(`${address}/health/live`, { headers: { Authorization: 'Bearer hunter2', 'X-Request-Id': 'mine' } });

    const { code } = await child.kill('SIGTERM');

    const requests = child.log.filter(({ path }) => path !== undefined);
    expect(code).toBe(0);
    expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', '/api/cms/post', 201],
      ['GET', '/api/cms/post', 200],
      ['GET', '/api/cms/post', 400],
      ['POST', '/api/users', 201],
      ['GET', '/health/live', 200],
    ]);
    expect(requests[0]).toMatchObject({ caller: 'token:ci', request_id: expect.any(String), time: expect.any(String) });
    expect(requests[4]).toMatchObject({ request_id: 'mine' });
    for (const secret of [...Object.values(SECRETS), 'hunter2'])
      expect(child.stdout + child.stderr).not.toContain(secret);
    await database.drop();
  });
});
