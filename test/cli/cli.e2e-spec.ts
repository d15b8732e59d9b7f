import { MIGRATION_NAMES } from '../../src/database/schema/migrate.js';
import { builtService } from '../support/built-service.js';
import { Child } from '../support/child-service.js';
import { runner, type Ran } from '../support/cli-runner.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** What a command answered in JSON. */
type Answered = ReturnType<typeof JSON.parse>;

describe('The command line', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp();
    run = runner({ DATABASE_URL: service.database.url });
  });

  afterAll(() => service.close());

  const json = async (line: string | readonly string[], input?: string): Promise<Answered> => {
    const { code, out, error } = await run(typeof line === 'string' ? `${line} --json` : [...line, '--json'], input);
    expect([code, error]).toEqual([0, '']);
    return JSON.parse(out);
  };
  const create = (name: string, scopes: string, ...more: string[]): Promise<Answered> =>
    json(['token', 'create', '--name', name, '--scopes', scopes, ...more]);

  describe('token', () => {
    it('create shows a token that works at once', async () => {
      const { code, out, error } = await run([
        'token',
        'create',
        ...['--name', 'ci', '--scopes', 'tokens:write drafts:read'],
      ]);

      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(/^cms_[0-9A-Za-z]{44}\nAPI token \d+ "ci" with tokens:write drafts:read, valid until 20/);
      const [token = ''] = out.split('\n');
      await service.http(token).get('/api/admin/tokens').expect(200);
    });

    it('create takes scopes with commas, and an expiry', async () => {
      const end = '2100-01-01T00:00:00.000Z';

      const token = await create('ci', 'records:read,drafts:read', '--expires', end);

      expect(token).toMatchObject({
        scopes: ['records:read', 'drafts:read'],
        expires_at: end,
        created_by: 'command line',
      });
    });

    it('create makes a token without expiry when asked to', async () => {
      expect((await create('ci', '*', '--expires', 'never')).expires_at).toBeNull();
    });

    it.each([
      [
        'unknown scopes',
        ['--name', 'ci', '--scopes', 'records:burn'],
        'scopes must list 1 to 100 of records:read, records:create',
      ],
      ['no scopes', ['--name', 'ci', '--scopes', ' '], 'scopes must list 1 to 100 of records:read, records:create'],
      ['a blank name', ['--name', ' ', '--scopes', '*'], 'name is required'],
      ['a strange expiry', ['--name', 'ci', '--scopes', '*', '--expires', 'soon'], 'expires_at must be'],
      ['an expiry that is over', ['--name', 'ci', '--scopes', '*', '--expires', '2020-01-01T00:00:00Z'], 'expires_at'],
    ])('create ends with 2 for %s', async (_, options, sentence) => {
      const { code, out, error } = await run(['token', 'create', ...options]);

      expect([code, out]).toEqual([2, '']);
      expect(error).toContain(sentence);
      expect(error.split('\n')).toHaveLength(1);
    });

    it('list shows every token but no secret', async () => {
      const { id, token } = await create('listed', 'records:read');

      const { code, out } = await run('token list');
      const listed = await json('token list');

      expect(code).toBe(0);
      expect(out).toMatch(/^ID +TOKEN +NAME +KIND +OWNER +STATE +LAST USED +SCOPES\n/);
      expect(out).toContain('listed');
      expect(out).not.toContain(token);
      expect(listed[0]).toMatchObject({ id, name: 'listed', hint: token.slice(0, 8) });
    });

    it('revoke ends a token', async () => {
      const { id } = await create('ci', '*');

      const first = await run(`token revoke ${id}`);
      const again = await run(`token revoke ${id}`);

      expect(first).toEqual({ code: 0, out: `API token ${id} is revoked.`, error: '' });
      expect(again).toEqual({ code: 1, out: '', error: `There is no working API token ${id}.` });
      expect((await run('token list')).out).toContain('revoked 20');
    });

    it('rotate makes another token, and the old one works on', async () => {
      const old = await create('ci', 'tokens:write');

      const rotated = await json(`token rotate ${old.id}`);

      await service.http(old.token).get('/api/admin/tokens').expect(200);
      await service.http(rotated.token).get('/api/admin/tokens').expect(200);
      expect((await run('token list')).out).toContain(`replaced by ${rotated.id}, until 20`);
    });

    it.each(['revoke', 'rotate'])('%s ends with 1 for an id that is none', async (verb) => {
      const { code, error } = await run(`token ${verb} abc --json`);

      expect(code).toBe(1);
      expect(JSON.parse(error)).toEqual({ error: 'token_not_found', message: 'There is no working API token abc.' });
    });
  });

  describe('user', () => {
    const add = (email: string, role = 'editor') => [
      'user',
      'create',
      '--email',
      email,
      '--name',
      'Ann',
      '--role',
      role,
    ];

    it('create adds a user, with a password from standard input', async () => {
      const user = await json([...add('ann@example.com'), '--password-stdin'], 'correct horse battery staple\n');

      expect(user).toMatchObject({ email: 'ann@example.com', name: 'Ann', role: 'editor', disabled: false });
      expect(JSON.stringify(user)).not.toContain('argon2');
    });

    it('create ends with 1 for an address that another user has', async () => {
      await json(add('twice@example.com'));

      const { code, error } = await run(add('twice@example.com'));

      expect([code, error]).toEqual([1, 'Another user has this e-mail address already.']);
    });

    it.each([
      ['an address that is none', add('nobody')],
      ['an unknown role', add('other@example.com', 'king')],
    ])('create ends with 2 for %s', async (_, line) => {
      expect((await run(line)).code).toBe(2);
    });

    it('create ends with 2 when the password is empty', async () => {
      expect((await run([...add('empty@example.com'), '--password-stdin'], '\n')).code).toBe(2);
    });

    it('disable keeps a user out, by id or by address', async () => {
      const one = await json(add('one@example.com'));
      await json(add('two@example.com'));

      expect(await json(`user disable ${one.id}`)).toMatchObject({ id: one.id, disabled: true });
      expect(await json('user disable TWO@example.com')).toMatchObject({ email: 'two@example.com', disabled: true });
      expect((await run('user disable three@example.com')).code).toBe(1);
      expect((await run('user list')).out).toMatch(/one@example\.com +editor +disabled +Ann/);
    });

    it('disable counts the service tokens that go on', async () => {
      await aPerson(service, { role: 'admin' });
      const robots = await aPerson(service, { role: 'admin' });
      const { token } = await signedIn(service, robots);
      const order = { name: 'ci', scopes: ['records:read'], kind: 'service' };
      await service.http(token).post('/api/admin/tokens').send(order).expect(201);

      const { out } = await run(`user disable ${robots.id}`);

      expect(out).toContain('is disabled. 1 service token of theirs goes on: see token list.');
    });

    it('is in the audit, as done by the command line', async () => {
      const { id } = await json(add('told@example.com'));
      await json(`user disable ${id}`);
      await json(`user disable ${id}`);

      const events = await json(`audit list --user ${id}`);
      const { out } = await run(`audit list --user ${id} --event user.disabled`);

      expect(events).toMatchObject([
        { event: 'user.disabled', actor: { kind: 'user', id: null, name: 'command line' }, ip: null },
        { event: 'user.created', details: { role: 'editor' } },
      ]);
      expect(out).toMatch(/user\.disabled +success +told@example\.com +command line/);
      expect(out).not.toContain('user.created');
    });
  });

  it('openapi prints the document', async () => {
    const { openapi, paths } = await json('openapi');

    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toContain('/api/admin/tokens');
  });

  it('ends with 1 and names every fault of the settings', async () => {
    const { code, error } = await runner({ PORT: 'x', DATABASE_URL: 'y' })('token list --json');

    expect(code).toBe(1);
    expect(JSON.parse(error)).toMatchObject({
      error: 'invalid_settings',
      details: [expect.stringContaining('PORT'), expect.stringContaining('DATABASE_URL')],
    });
  });
});

describe('The command line on a new database', () => {
  let database: TestDatabase;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    database = await createTestDatabase();
    run = runner({
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      APP_SECRET: 'a-secret-of-more-than-32-characters',
      PUBLIC_URL: 'https://cms.example.com',
    });
  });

  afterAll(() => database.drop());

  it('finds with doctor what is missing, mends it with migrate, and has nothing left to do', async () => {
    const before = await run('doctor');
    const migrated = await run('migrate --json');
    const after = await run('doctor --json');
    const again = await run('migrate');

    expect(before.code).toBe(1);
    expect(before.out).toMatch(/^ok {4}node/);
    expect(before.out).toMatch(/^fail .*Run: npm run migrate\.$/m);
    expect(migrated.code).toBe(0);
    expect(JSON.parse(migrated.out).migrations).toEqual(MIGRATION_NAMES);
    expect(after.code).toBe(0);
    const place = process.env.TEST_DATABASE_URL === undefined ? 'file' : 'servers';
    const names = `node settings mail gateway disk database migrations secret ${place} clock jobs letters admins
      tokens types ownerless trees fields counts search revisions`;
    const lines = JSON.parse(after.out) as { check: string; ok: boolean; message: string }[];
    expect(lines.filter(({ ok }) => !ok)).toEqual([]);
    expect([...new Set(lines.map(({ check }) => check))]).toEqual(names.split(/\s+/));
    expect(lines.find(({ check }) => check === 'admins')?.message).toMatch(/^nobody can sign in yet: set ADMIN_EMAIL/);
    expect(again).toEqual({ code: 0, out: 'The database is up to date.', error: '' });
  });

  it.each([
    [{}, 'TRUST_PROXY is not set: X-Forwarded-For is ignored.'],
    [{ TRUST_PROXY: '2' }, 'the last 2 of X-Forwarded-For are proxies. With fewer of them clients choose'],
    [{ TRUST_PROXY: '10.0.0.0/8' }, 'X-Forwarded-For is believed from 10.0.0.0/8'],
  ])('says with doctor whose word counts for addresses: %j', async (environment, sentence) => {
    const { out } = await runner({ DATABASE_URL: database.url, ...environment })('doctor');

    expect(out).toContain(sentence);
  });

  it('reports with doctor each fault of the settings', async () => {
    const { code, out } = await runner({ PORT: 'x', LOG_LEVEL: 'loud' })('doctor');

    expect(code).toBe(1);
    expect(out).toMatch(/fail {2}settings {4}npm start would refuse: PORT/);
    expect(out).toMatch(/fail {2}settings {4}npm start would refuse: LOG_LEVEL/);
  });

  it('shows with doctor where mail goes, and never the password', async () => {
    const sent = await runner({ DATABASE_URL: database.url, SMTP_URL: 'smtp://ana:hush@mail.example.com' })('doctor');
    const kept = await runner({ DATABASE_URL: database.url, DATA_DIR: 'kept' })('doctor');

    expect(sent.out).toMatch(/^ok {4}mail {8}smtp:\/\/mail\.example\.com:587, from no-reply@localhost$/m);
    expect(sent.out).not.toContain('hush');
    expect(kept.out).toMatch(/^ok {4}mail {8}goes into kept\/outbox and reaches nobody\. To send it, set SMTP_URL=/m);
  });

  it('reports with doctor that no server answers, and never shows the password', async () => {
    const { code, out } = await runner({ DATABASE_URL: 'mysql://root:hush@127.0.0.1:1/cms' })('doctor');

    expect(code).toBe(1);
    expect(out).toMatch(
      /^fail {2}database {4}npm start would refuse: The database mysql:\/\/127\.0\.0\.1:1\/cms cannot be opened: .+/m,
    );
    expect(out).not.toContain('hush');
  });

  it('ends with 1 and a sentence when no server answers a command', async () => {
    const { code, error } = await runner({ DATABASE_URL: 'mysql://root@127.0.0.1:1/cms' })('token list');

    expect(code).toBe(1);
    expect(error).toMatch(/^The database mysql:\/\/127\.0\.0\.1:1\/cms cannot be opened: [^\n]+$/);
  });
});

describe('The built command line', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    builtService();
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const start = async (...args: string[]): Promise<Ran> => {
    const child = new Child('cli.js', args, { NODE_ENV: 'development', DATABASE_URL: database.url });
    const { code } = await child.ended;
    return { code: Number(code), out: child.stdout, error: child.stderr };
  };

  it('makes a token on an empty database and writes nothing but the answer', async () => {
    const { code, out, error } = await start('token', 'create', '--name', 'ci', '--scopes', 'records:read', '--json');

    expect([code, error]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ id: 1, name: 'ci', token: expect.stringMatching(/^cms_/) });
  });

  it('ends with 2, a line and the help for wrong use', async () => {
    const { code, out, error } = await start('token', 'make');
    const help = await start('token', '--help');

    expect([code, out]).toEqual([2, '']);
    expect([help.code, help.error]).toEqual([0, '']);
    expect(error).toBe(`error: unknown command 'make'\n\n${help.out}`);
  });

  it('ends by itself with 1 when no server answers', async () => {
    const child = new Child('cli.js', ['migrate'], { DATABASE_URL: 'mysql://root@127.0.0.1:1/cms' });

    expect((await child.ended).code).toBe(1);
    expect(child.stderr).toMatch(/^The database [^\n]+\n$/);
  });
});
