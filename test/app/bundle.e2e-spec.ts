import { execFileSync } from 'node:child_process';
import { builtService } from '../support/built-service.js';
import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

const ACCOUNT = { email: 'ann@example.com', password: 'a long and rare pass phrase' };

/** What a start loads out of one file, and what is loaded from outside of it when it is needed first. */
describe('The bundled service', () => {
  let database: TestDatabase;
  let service: Child;
  let address: string;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    const google = { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' };
    service = new Child('main.js', [], { ...production(database), ...google });
    address = await service.address();
  });

  afterAll(async () => {
    const { code } = await service.kill('SIGTERM');
    await database.drop();
    expect(code).toBe(0);
    expect(service.stderr).toBe('');
    expect(service.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it.each(['service', 'commands'])('is compiled by the code cache that was built with it: %s', (bundle) => {
    const look = `
      const { readFileSync } = require('node:fs');
      require('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
      const cachedData = readFileSync('${bundle}.bundle.cache').subarray(32); // behind its seal
      const { cachedDataRejected } = new (require('node:vm').Script)(readFileSync('${bundle}.bundle.js', 'latin1'), { cachedData });
      process.stdout.write(String(cachedDataRejected));`;

    const rejected = execFileSync(process.execPath, ['-e', look], {
      cwd: builtService(),
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });

    expect(rejected).toBe('false');
  });

  it('knows migrations by the names of their classes, as the command line does', async () => {
    const doctor = new Child('cli.js', ['doctor'], production(database));
    const { code } = await doctor.ended;

    expect({ code, text: doctor.stdout + doctor.stderr }).toMatchObject({ code: 0 });
  });

  it('writes a record, finds it by a search, and lists it in the sitemap', async () => {
    const created = await call(address, 'POST', '/api/cms/post', { title: 'Bundled zebra', status: 'published' });
    expect(created.status).toBe(201);

    const found = (await (await call(address, 'GET', '/api/cms/search?q=zebra')).json()) as { data: unknown[] };
    expect(found.data).toHaveLength(1);
    expect(await (await fetch(`${address}/sitemap.xml`)).text()).toContain('/bundled-zebra');
  });

  it('shows the description of its API with the files of the page', async () => {
    const page = await (await fetch(`${address}/api/docs`)).text();
    const assets = [...page.matchAll(/(?:src|href)="([^"]*assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) expect((await fetch(new URL(path, `${address}/api/docs`))).status).toBe(200);
    expect((await fetch(`${address}/api/openapi.json`)).status).toBe(200);
  });

  it('signs a user in by password, and reads who it is from the token', async () => {
    const user = await call(address, 'POST', '/api/users', { name: 'Ann', role: 'editor', ...ACCOUNT });
    expect(user.status).toBe(201);

    const login = await fetch(`${address}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    });
    const { token } = (await login.json()) as { token: string };
    const me = await fetch(`${address}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ data: { user: { email: ACCOUNT.email } } });
  });

  it('leads to an identity provider', async () => {
    const answer = await fetch(`${address}/api/auth/google/redirect`, { redirect: 'manual' });

    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toContain('accounts.google.com');
  });
});
