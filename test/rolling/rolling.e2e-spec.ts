import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, Child, production } from '../support/child-service.js';
import { waitFor } from '../support/mailbox.js';
import { PASSWORD } from '../support/sign-in.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { builtService } from '../support/built-service.js';
import { MIGRATION_NAMES } from '../../src/database/schema/migrate.js';
import { nextRelease, type Version } from './versions.js';

describe('This release and a next one on one schema', () => {
  let database: TestDatabase;
  let before: Version;
  let after: Version;
  let old: Child;
  let next: Child;
  let addresses: { readonly old: string; readonly next: string };

  const run = async ({ build }: Version, ...words: string[]) => {
    const child = new Child('cli.js', words, production(database), build);
    return { ...(await child.ended), text: child.stdout + child.stderr };
  };
  const start = ({ build }: Version): Child => new Child('main.js', [], production(database), build);
  /** The answer of one that has to be a success. */
  const ask = async (address: string, method: string, path: string, body?: unknown) => {
    const answer = await call(address, method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  /** All that one version writes, read by the other one. */
  const writeAndRead = async (writer: string, reader: string, name: string): Promise<void> => {
    const { data: post } = await ask(writer, 'POST', '/api/cms/post', {
      title: `Written by ${name}`,
      body: 'x'.repeat(2_000),
      status: 'published',
      terms: { tag: [`Tag ${name}`] },
    });
    await ask(writer, 'PUT', `/api/cms/post/${post.id}`, { title: `Changed by ${name}` });
    const user = { email: `${name}@example.com`, name, role: 'editor', password: PASSWORD };
    await ask(writer, 'POST', '/api/users', user);
    const { token } = await ask(writer, 'POST', '/api/auth/login', { email: user.email, password: PASSWORD });

    const read = (await ask(reader, 'GET', `/api/cms/post/${post.id}`)).data;
    expect([read.title, read.terms.tag[0].name]).toEqual([`Changed by ${name}`, `Tag ${name}`]);
    expect((await ask(reader, 'GET', `/api/cms/post/${post.id}/revisions`)).data).toHaveLength(2);
    const found = await ask(reader, 'GET', `/api/cms/search?q=${encodeURIComponent(`"Changed by ${name}"`)}`);
    expect(found.data.map(({ id }: { id: number }) => id)).toContain(post.id);
    expect(await (await fetch(`${reader}/sitemap.xml`)).text()).toContain(read.url);
    const me = await fetch(`${reader}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } });
    expect(((await me.json()) as { data: { user: { name: string } } }).data.user.name).toBe(name);
    // And on from there: what one has read the other one changes, and the first sees it.
    await ask(reader, 'PUT', `/api/cms/post/${post.id}`, { title: `Then changed by the other than ${name}` });
    expect((await ask(writer, 'GET', `/api/cms/post/${post.id}`)).data.title).toMatch(/^Then/);
    await ask(reader, 'POST', '/api/auth/login', { email: user.email, password: PASSWORD });
  };

  beforeAll(async () => {
    before = { build: builtService(), migrations: MIGRATION_NAMES };
    after = nextRelease();
    database = await createTestDatabase();
    expect((await run(before, 'migrate')).code).toBe(0);
    old = start(before);
  });

  afterAll(async () => {
    await Promise.all([old, next].map((child) => child.kill('SIGTERM')));
    await database.drop();
  });

  it('differ by migrations', () => {
    expect(after.migrations.length).toBeGreaterThan(before.migrations.length);
  });

  it('the older one serves while the newer one migrates', async () => {
    const address = await old.address();
    const migration = { isOver: false };
    let written = 0;
    const writing = (async () => {
      while (!migration.isOver) {
        await ask(address, 'POST', '/api/cms/post', { title: `During ${written}` });
        written += 1;
      }
    })();

    await waitFor(() => Promise.resolve(written > 3 || null), 'writes before the migration');
    const migrated = await run(after, 'migrate');
    migration.isOver = true;
    await writing;

    const made = after.migrations.filter((name) => migrated.text.includes(name));
    expect(migrated.code).toBe(0);
    expect(made).toEqual(after.migrations.filter((name) => !before.migrations.includes(name)));
    next = start(after);
    addresses = { old: address, next: await next.address() };
    expect((await ask(addresses.next, 'GET', '/api/cms/post?per_page=1')).meta.total).toBe(written);
  });

  it('each reads and changes what the other one writes', async () => {
    await writeAndRead(addresses.old, addresses.next, 'older');
    await writeAndRead(addresses.next, addresses.old, 'newer');
  });

  it('the older one comes back, since a migration only adds', async () => {
    await old.kill('SIGTERM');

    old = start(before);

    addresses = { ...addresses, old: await old.address() };
    await writeAndRead(addresses.next, addresses.old, 'again');
    expect((await run(before, 'doctor')).text).toMatch(/^ok +migrations/m);
  });

  it('the newer one restores a backup of the older one, and brings its tables up to date', async () => {
    const target = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'cms-backup-'));
    const file = join(folder, 'older');
    await new Child('cli.js', ['migrate'], production(target), before.build).ended;
    const made = new Child('cli.js', ['backup', file], production(target), before.build);
    await made.ended;

    const restored = await createTestDatabase();
    const child = new Child('cli.js', ['restore', file, '--verify'], production(restored), after.build);

    expect([(await made.ended).code, (await child.ended).code]).toEqual([0, 0]);
    const doctor = new Child('cli.js', ['doctor'], production(restored), after.build);
    await doctor.ended;
    expect(doctor.stdout).toMatch(/^ok +migrations/m);
    await rm(folder, { recursive: true });
    await Promise.all([target.drop(), restored.drop()]);
  });
});
