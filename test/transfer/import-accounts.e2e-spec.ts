import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { folderOf } from '../support/import-files.js';
import { aPerson, login, signedIn, PASSWORD } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const TIMES = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' };
const HEADER = { kind: 'header', format: 'cms-ndjson', version: 1, lossless: true, exported_at: TIMES.created_at };
const END = { kind: 'end', data: { records: 0, revisions: 0 } };

const user = (id: number, role: string, disabledAt: string | null = null): object => ({
  kind: 'user',
  data: { id, email: `${role}-${id}@example.org`, name: `${role} ${id}`, role, disabled_at: disabledAt, ...TIMES },
});

interface Shown {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  readonly disabled: boolean;
}

interface Report {
  readonly changes: readonly string[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

describe('Users of a lossless file', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });

  afterEach(() => service.close());

  async function imported(lines: readonly object[], ...words: string[]): Promise<{ code: number; report: Report }> {
    const folder = folderOf({ 'partner.ndjson': `${lines.map((line) => JSON.stringify(line)).join('\n')}\n` });
    const run = runner({ DATABASE_URL: service.database.url });
    const { code, out } = await run(['import', join(folder.path, 'partner.ndjson'), '--json', ...words]);
    folder.remove();
    return { code, report: JSON.parse(out) as Report };
  }

  const users = async (): Promise<Shown[]> => (await service.http().get('/api/users').expect(200)).body as Shown[];
  const created = async (): Promise<unknown[]> => {
    const { body } = await service.http().get('/api/admin/audit?event=user.created').expect(200);
    return body.data as unknown[];
  };

  it('are viewers who are kept out, and those with more in the file are named', async () => {
    const { code, report } = await imported([
      HEADER,
      user(900, 'admin'),
      user(901, 'viewer'),
      user(902, 'editor'),
      END,
    ]);

    expect(code).toBe(0);
    expect(report.changes).toEqual([
      'Users get accounts without a password, as viewers, and disabled. With --with-accounts they get the roles of the file and can sign in.',
      'admin-900@example.org has the role admin in the file, and not here.',
      'editor-902@example.org has the role editor in the file, and not here.',
    ]);
    expect(await users()).toEqual(
      [900, 901, 902].map((id) => expect.objectContaining({ id, role: 'viewer', disabled: true })),
    );
  });

  it('have names on one line, also where the other database has taken separators of lines', async () => {
    const named = (id: number, name: string): object => {
      const { kind, data } = user(id, 'viewer') as { kind: string; data: object };
      return { kind, data: { ...data, name } };
    };

    await imported([HEADER, named(900, 'Ann\u2028Lee\u2029'), named(901, '\u202e'), END]);

    const names = ((await service.http().get('/api/users').expect(200)).body as { name: string }[]).map(
      (one) => one.name,
    );
    expect(names).toEqual(['Ann Lee', 'viewer-901@example.org']);
  });

  it('have the roles of the file where the operator says so, and are named as well', async () => {
    const disabled = user(903, 'editor', TIMES.updated_at);

    const { report } = await imported(
      [HEADER, user(900, 'admin'), user(901, 'viewer'), disabled, END],
      '--with-accounts',
    );

    expect(report.changes).toEqual([
      'Users get accounts without a password, with the roles of the file.',
      'admin-900@example.org gets the role admin.',
      'editor-903@example.org gets the role editor.',
    ]);
    expect((await users()).map(({ id, role, disabled: isOut }) => [id, role, isOut])).toEqual([
      [900, 'admin', false],
      [901, 'viewer', false],
      [903, 'editor', true],
    ]);
  });

  it.each([
    [['--with-accounts'], 'admin'],
    [[], 'viewer'],
  ])('are in the audit with the file that they came in: %j', async (words, role) => {
    await imported([HEADER, user(900, 'admin'), END], ...words);

    expect(await created()).toEqual([
      expect.objectContaining({
        event: 'user.created',
        user_id: 900,
        email: 'admin-900@example.org',
        actor: expect.objectContaining({ name: 'command line' }),
        details: { role, file: 'partner.ndjson' },
      }),
    ]);
  });

  it.each([
    ['has no last line', [HEADER, user(900, 'admin')]],
    ['is cut off within its last line', [HEADER, user(900, 'admin'), { kind: 'record' }]],
  ])('are none where the file %s, whatever the operator says', async (_, lines) => {
    const { code, report } = await imported(lines, '--with-accounts');

    expect(code).toBe(1);
    expect(report.changes).toContain(
      'The file has no last line, so its users get no accounts: what they wrote bears their names.',
    );
    expect([await users(), await created()]).toEqual([[], []]);
  });

  it('are none where they stand behind the last line', async () => {
    const { code, report } = await imported([HEADER, END, user(900, 'admin'), END], '--with-accounts');

    expect(code).toBe(1);
    expect(report.problems.map(({ line, message }) => [line, message])).toEqual(
      [3, 4].map((line) => [line, 'The line stands behind the last line of the file, so it is left out.']),
    );
    expect([await users(), await created()]).toEqual([[], []]);
  });

  it('are foreseen by a dry run, which makes none', async () => {
    const { report } = await imported([HEADER, user(900, 'admin'), END], '--with-accounts', '--dry-run');

    expect(report.changes).toContain('admin-900@example.org gets the role admin.');
    expect([await users(), await created()]).toEqual([[], []]);
  });

  it('stay the authors of what they wrote, and cannot sign in', async () => {
    const source = await startTestApp({ RATE_LIMITS: 'off' });
    const ann = await aPerson(source, { name: 'Ann', role: 'editor' });
    const { token } = await signedIn(source, ann);
    const { body } = await source.http(token).post('/api/cms/post').send({ title: 'By Ann' }).expect(201);
    const folder = folderOf({});
    const file = join(folder.path, 'all.ndjson');
    await runner({ DATABASE_URL: source.database.url })(['export', '--out', file]);
    await source.close();

    const { code } = await runner({ DATABASE_URL: service.database.url })(['import', file]);

    const [copy] = await users();
    const record = await service.http().get(`/api/cms/post/${body.data.id}`).expect(200);
    expect(code).toBe(0);
    expect(copy).toMatchObject({ email: ann.email, role: 'viewer', disabled: true });
    expect(record.body.data.created_by).toMatchObject({ kind: 'user', id: copy?.id, name: 'Ann' });
    expect((await login(service, ann, PASSWORD)).status).toBe(401);
    folder.remove();
  });

  it('do not change who has an account here', async () => {
    const ann = await aPerson(service, { email: 'editor-900@example.org', role: 'author' });

    const { report } = await imported([HEADER, user(900, 'editor'), END], '--with-accounts');

    expect(report.changes).toEqual([]);
    expect(await users()).toEqual([expect.objectContaining({ id: ann.id, role: 'author', disabled: false })]);
  });

  it('go with no other format', async () => {
    const folder = folderOf({ 'items.csv': 'title\nOne\n' });
    const { code, error } = await runner({ DATABASE_URL: service.database.url })([
      'import',
      join(folder.path, 'items.csv'),
      '--with-accounts',
    ]);

    expect([code, error]).toEqual([2, '--with-accounts goes with ndjson: other formats have no users.']);
    folder.remove();
  });
});
