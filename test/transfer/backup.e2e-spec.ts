import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IndexingJobs } from '../../src/search/indexing/indexing-jobs.js';
import { runner, type Ran } from '../support/cli-runner.js';
import { Gate } from '../support/gate.js';
import { fillRichly } from '../support/rich-content.js';
import { aPerson, login, signedIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, createTestFile, type TestDatabase } from '../support/test-database.js';
import { typeRequests } from '../support/type-requests.js';

interface Digest {
  readonly sha256: string;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

const ADDRESSES = [
  '/api/cms/everything?per_page=100&sort=id&status=draft,published',
  '/api/cms/everything?sort=-num&per_page=100&status=draft,published',
  '/api/cms/everything?filter[whole]=9007199254740991&status=draft,published',
  '/api/cms/post?fields=id,title,slug,body',
  '/api/cms/post/-/trash',
  '/api/cms/-/drafts',
  '/api/admin/types',
  '/api/users',
  '/api/admin/tokens',
];

describe('npm run cli -- backup and restore', () => {
  let service: TestApp;
  let folder: string;
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-backup-'));
    service = await startTestApp();
    await fillRichly(service);
  });

  afterAll(async () => {
    await service.close();
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true });
  });

  const on = ({ url }: TestDatabase) => runner({ DATABASE_URL: url });
  const path = (name: string): string => join(folder, name);

  async function empty(create: () => TestDatabase | Promise<TestDatabase> = createTestDatabase): Promise<TestDatabase> {
    const database = await create();
    databases.push(database);
    return database;
  }

  async function done(running: Promise<Ran>): Promise<Record<string, unknown>> {
    const { code, out, error } = await running;
    expect({ code, error }).toEqual({ code: 0, error: '' });
    return JSON.parse(out) as Record<string, unknown>;
  }

  async function digestOf(database: TestDatabase): Promise<Digest> {
    return (await done(on(database)('digest --json'))) as unknown as Digest;
  }

  async function answersOf({ http }: Pick<TestApp, 'http'>): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const address of ADDRESSES) {
      const { status, body } = await http().get(address);
      expect([address, status]).toEqual([address, 200]);
      answers.push(body);
    }
    return answers;
  }

  it('carry a database of any kind to any other kind and back, with equal digests and equal answers', async () => {
    const before = await answersOf(service);
    await done(on(service.database)(['backup', path('first'), '--json']));
    const targets = [await empty(), await empty(createTestFile), await empty()];

    for (const [index, target] of targets.entries()) {
      const file = path(index === 0 ? 'first' : `copy-${index - 1}`);
      const { differing, found } = await done(on(target)(['restore', file, '--verify', '--json']));
      expect(differing).toEqual([]);
      expect((found as Digest).sha256).toMatch(/^[0-9a-f]{64}$/);
      await done(on(target)(['backup', path(`copy-${index}`), '--json']));
    }

    const [first, ...others] = await Promise.all([service.database, ...targets].map(digestOf));
    expect(first?.tables.find(({ name }) => name === 'records')?.rows).toBeGreaterThan(20);
    // Counters and what waits for them are summed up, by the running service too, and each command leaves an event; that
    // they arrive as they were, --verify has said.
    const contents = (digest: Digest | undefined): unknown =>
      digest?.tables.filter(({ name }) => !/_(count|position|part|delta)|^auth_events$/.test(name));
    for (const digest of others) expect(contents(digest)).toEqual(contents(first));
    for (const target of targets) {
      const restored = await startTestApp({ DATABASE_URL: target.url });
      expect(await answersOf(restored)).toEqual(before);
      await restored.close();
    }
  });

  it('leave events in the audit: of the backup where it was made, of the restore where it went to', async () => {
    const target = await empty();
    const { digest } = await done(on(service.database)(['backup', path('noted'), '--json']));
    await done(on(target)(['restore', path('noted'), '--json']));
    const lastOf = async (database: TestDatabase, event: string): Promise<unknown> =>
      ((await done(on(database)(`audit list --event ${event} --json`))) as unknown as unknown[])[0];

    const { sha256 } = digest as Digest;
    const common = { outcome: 'success', actor: { name: 'command line' } };
    expect(await lastOf(service.database, 'backup.written')).toMatchObject({ ...common, details: { sha256 } });
    expect(await lastOf(target, 'backup.restored')).toMatchObject({ ...common, details: { sha256 } });
  });

  it('say that rights which were taken since are back, and what to do about it', async () => {
    await done(on(service.database)(['backup', path('revived'), '--json']));
    const { out } = await on(await empty())(['restore', path('revived')]);

    expect(out).toMatch(
      /\nAPI tokens that were revoked since then, .* count again\. .*: user disable, token revoke\.$/,
    );
  });

  it('continue with ids above those that were restored', async () => {
    const target = await empty();
    await done(on(service.database)(['backup', path('ids'), '--json']));
    await done(on(target)(['restore', path('ids'), '--json']));
    const highest = (await service.http().get('/api/cms/post/-/trash')).body.data[0].id as number;

    const restored = await startTestApp({ DATABASE_URL: target.url });
    const id = await typeRequests(() => restored).aRecord('post');
    await restored.close();

    expect(id).toBeGreaterThan(highest);
  });

  it('continue with ids that were never used, whatever a working copy points to', async () => {
    const { aRecord } = typeRequests(() => service);
    const removed = await aRecord('post');
    for (const friend of [3_000_000_000, removed]) {
      const path = `/api/cms/everything/${await aRecord('everything')}/draft`;
      await service
        .http()
        .patch(path)
        .set('If-Match', '*')
        .send({ friends: [friend] })
        .expect(201);
    }
    const last = await aRecord('post');
    for (const id of [removed, last]) await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);

    await done(on(service.database)(['backup', path('pointing'), '--json']));
    const target = await empty();
    await done(on(target)(['restore', path('pointing'), '--verify', '--json']));
    const restored = await startTestApp({ DATABASE_URL: target.url });
    const id = await typeRequests(() => restored).aRecord('post');
    await restored.close();

    expect(id).toBe(last + 1);
  });

  it('hold nothing that lets anybody in: users sign in anew with the password they had', async () => {
    const ann = await aPerson(service);
    const { token, refresh_token: refreshToken } = await signedIn(service, ann);
    await login(service, ann, 'a wrong password');
    await done(on(service.database)(['backup', path('signed-in'), '--json']));
    const target = await empty();
    await done(on(target)(['restore', path('signed-in'), '--verify', '--json']));

    const { tables } = await digestOf(target);
    const restored = await startTestApp({ DATABASE_URL: target.url, APP_SECRET: 'a secret of the place it went to' });
    const refresh = await restored.anonymous().post('/api/auth/refresh').send({ refresh_token: refreshToken });
    const answers = [await restored.http(token).get('/api/auth/me'), refresh, await login(restored, ann)];
    await restored.close();

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
    const names = tables.map(({ name }) => name);
    expect(names.filter((name) => /session|challenge|auth_counter|signing|mail/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['users', 'auth_identities', 'auth_events', 'api_tokens']));
  });

  it('that replace what a database has, end the sessions there: its users may be others now', async () => {
    await done(on(service.database)(['backup', path('force'), '--json']));
    const other = await startTestApp();
    const { token } = await signedIn(other, await aPerson(other));
    await other.app.close();

    await done(on(other.database)(['restore', path('force'), '--force', '--json']));

    const again = await startTestApp({ DATABASE_URL: other.database.url });
    expect((await again.http(token).get('/api/auth/me')).status).toBe(401);
    await again.close();
    await other.close();
  });

  it('leave a database in which the service finds everything again', async () => {
    await service.http().post('/api/cms/post').send({ title: 'Periwinkle', status: 'published' }).expect(201);
    await done(on(service.database)(['backup', path('found'), '--json']));
    const target = await empty();
    await done(on(target)(['restore', path('found'), '--json']));

    const restored = await startTestApp({ DATABASE_URL: target.url });
    await restored.app.get(IndexingJobs).drain();
    const { body } = await restored.http().get('/api/cms/search?q=periwinkle').expect(200);
    await restored.close();

    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Periwinkle']);
  });

  it('take one moment of a database that is written to meanwhile', async () => {
    const requests = typeRequests(() => service);
    let isOver = false;
    let written = 0;
    const someAreWritten = new Gate();
    const write = async (): Promise<void> => {
      while (!isOver) {
        await requests.aRecord('page', { status: 'published', body: 'b'.repeat(20_000) });
        written += 1;
        if (written === 10) someAreWritten.open();
      }
    };
    const writers = [write(), write(), write()];

    await Promise.race([someAreWritten.opened, Promise.all(writers)]);
    await done(on(service.database)(['backup', path('busy'), '--json']));
    isOver = true;
    await Promise.all(writers);
    const target = await empty();
    await done(on(target)(['restore', path('busy'), '--verify', '--json']));

    const { tables } = await digestOf(target);
    const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
    expect(rows.record_contents).toBe(rows.records);
    const restored = await startTestApp({ DATABASE_URL: target.url });
    const { meta } = (await restored.http().get('/api/cms/page?per_page=1')).body as { meta: { total: number } };
    await restored.close();
    expect(meta.total).toBeGreaterThan(0);
    expect(meta.total).toBeLessThanOrEqual(written);
    expect(rows.records).toBe(meta.total + (await recordsBesidePages(service)));
  });

  async function recordsBesidePages(app: TestApp): Promise<number> {
    const totals: number[] = [];
    for (const list of ['everything?status=draft,published&', 'post?status=draft,published&', 'post/-/trash?']) {
      totals.push((await app.http().get(`/api/cms/${list}per_page=1`)).body.meta.total as number);
    }
    return totals.reduce((sum, n) => sum + n);
  }

  it('do not write over a file, and leave nothing of a backup that failed', async () => {
    writeFileSync(path('mine'), 'mine');

    const taken = await on(service.database)(['backup', path('mine')]);
    const nowhere = await on(service.database)(['backup', path('no-folder/file')]);
    const noTables = await on(await empty())(['backup', path('none')]);

    expect(taken.error).toMatch(/mine exists already\. Choose another name\.$/);
    expect([taken.code, nowhere.code, noTables.code]).toEqual([1, 1, 1]);
    expect(readdirSync(folder).filter((name) => name.includes('partial') || name === 'none')).toEqual([]);
  });
});
