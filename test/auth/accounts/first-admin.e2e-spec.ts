import { pino } from 'pino';
import { createApp } from '../../../src/app/app.setup.js';
import { readSettings, Settings } from '../../../src/config/settings.js';
import { runner } from '../../support/cli-runner.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import { Mailbox } from '../../support/mailbox.js';
import { aPerson, signedIn } from '../../support/sign-in.js';
import { expectError } from '../../support/errors.js';
import { createTestDatabase } from '../../support/test-database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const ADMIN = 'first.admin@example.com';

/** Its administrators are admins here. */
const CORP = {
  name: 'corp',
  issuer: 'https://id.example.com',
  audience: 'cms',
  jwks_url: 'https://id.example.com/jwks',
  algorithms: ['RS256'],
  groups: { map: { staff: 'viewer', bosses: 'admin' } },
};

/** The sentences of warnings that a service logs which starts with these settings, and stops. */
async function warningsAtStart(environment: Record<string, string>): Promise<string[]> {
  const warnings: string[] = [];
  const write = (line: string): void => {
    warnings.push((JSON.parse(line) as { readonly msg: string }).msg);
  };
  const app = await createApp(readSettings('test', environment), pino({ level: 'warn' }, { write }));
  await app.listen(0, '127.0.0.1');
  // Waits for what has begun.
  await app.close();
  return warnings;
}

describe('The first admin, and the command line for accounts', () => {
  let service: TestApp;
  let mailbox: Mailbox;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    service = await startTestApp({ ...mailbox.environment, ADMIN_EMAIL: ADMIN, RATE_LIMITS: 'off' });
    const { dataDir } = service.app.get(Settings);
    run = runner({ ...mailbox.environment, DATABASE_URL: service.database.url, DATA_DIR: dataDir });
  });

  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });

  it('is invited by ADMIN_EMAIL where there is no user at all', async () => {
    const token = tokenOf(await mailbox.next(ADMIN));

    const { status, body } = await service.anonymous().post('/api/auth/invitations/accept').send({ token });

    expect([status, body.user.role, body.user.email]).toEqual([200, 'admin', ADMIN]);
  });

  it('is invited once, and by no later start', async () => {
    await run('user list');

    expect(await mailbox.mailsTo(ADMIN)).toHaveLength(1);
  });

  it('is warned of at a start, once, and by doctor, where there are users and none can act', async () => {
    const database = await createTestDatabase();
    const { dataDir } = service.app.get(Settings);
    const environment = { ...mailbox.environment, DATABASE_URL: database.url, DATA_DIR: dataDir };
    const runThere = runner(environment);
    await runThere('migrate');
    const empty = await runThere('doctor');
    await runThere('user create --email op@example.com --name Op --role admin');

    const warned = await warningsAtStart(environment);
    const found = await runThere('doctor');
    const corp = { ...environment, TRUSTED_ISSUERS: JSON.stringify([CORP]) };
    const ofCorp = [(await runner(corp)('doctor')).out, ...(await warningsAtStart(corp))];
    await runThere('user create --email other@example.com --name Other --role admin --verified');
    const after = await runThere('doctor');

    expect(empty.out).toMatch(/^ok {4}admins/m);
    expect(warned.filter((sentence) => sentence.startsWith('No admin can sign in'))).toHaveLength(1);
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(/^fail {2}admins {6}No admin can sign in/m)]);
    expect(ofCorp[0]).toMatch(/^ok {4}admins {6}administrators come from corp$/m);
    expect(ofCorp).not.toContainEqual(expect.stringContaining('No admin can sign in'));
    expect(after.out).toMatch(/^ok {4}admins/m);
    expect(await warningsAtStart(environment)).not.toContainEqual(expect.stringContaining('No admin can sign in'));
    await database.drop();
  });

  it('can be made by command where ADMIN_EMAIL names the same person, and that sends no invitation', async () => {
    const database = await createTestDatabase();
    const { dataDir } = service.app.get(Settings);
    const environment = { ...mailbox.environment, DATABASE_URL: database.url, DATA_DIR: dataDir };
    const runThere = runner({ ...environment, ADMIN_EMAIL: 'operator@example.com' });

    const empty = await runThere('user list --json');
    const created = await runThere('user create --email operator@example.com --name Op --role admin --json');

    await database.drop();
    expect([empty.out, created.error]).toEqual(['[]', '']);
    expect(JSON.parse(created.out)).toMatchObject({ name: 'Op', role: 'admin' });
    expect(await mailbox.mailsTo('operator@example.com')).toEqual([]);
  });

  it('invites others by command, whose mail the running service sends', async () => {
    const { code, out } = await run([
      'user',
      'invite',
      '--email',
      'bob@example.com',
      '--name',
      'Bob',
      '--role',
      'editor',
    ]);

    expect([code, out]).toEqual([0, expect.stringContaining('<bob@example.com> is invited as editor.')]);
    expect((await mailbox.next('bob@example.com')).link).toContain('/api/auth/invitations/accept?token=');
  });

  it('vouches for an address by command: a sign-in by mail then takes no password away', async () => {
    const words = ['user', 'create', '--email', 'cy@example.com', '--name', 'Cy', '--role', 'viewer'];

    const vouched = await run([...words, '--verified', '--json']);

    expect(JSON.parse(vouched.out)).toMatchObject({ email_verified: true });
  });

  it('signs a user out everywhere by command', async () => {
    const person = await aPerson(service);
    const { refresh_token: token } = await signedIn(service, person);

    const { code, out } = await run(`session revoke ${person.email} --json`);

    expect([code, JSON.parse(out)]).toEqual([0, { id: person.id, ended: 1 }]);
    expectError(
      await service.anonymous().post('/api/auth/refresh').send({ refresh_token: token }),
      'invalid_refresh_token',
    );
  });

  it('rotates keys by command, when others had time to learn the next one', async () => {
    await signedIn(service, await aPerson(service));
    const kids = async () =>
      ((await service.anonymous().get('/api/auth/jwks')).body.keys as { kid: string }[]).map(({ kid }) => kid);
    const before = await kids();

    const early = await run('key rotate --json');
    expect([early.code, early.error]).toEqual([1, expect.stringContaining('--force')]);
    const rotated = await run('key rotate --force --json');

    expect(rotated.code).toBe(0);
    const { active } = JSON.parse(rotated.out) as { active: string };
    expect(before).toContain(active);
    const events = JSON.parse((await run('audit list --event key.rotated --json')).out) as unknown;
    expect(events).toMatchObject([{ actor: { name: 'command line' }, details: { active, leaked: false } }]);
  });

  it.each(['user invite', 'session revoke', 'key rotate'])('explains %s', async (command) => {
    const { code, out } = await run(`${command} --help`);

    expect([code, out]).toEqual([0, expect.stringContaining(`npm run cli -- ${command}`)]);
  });
});
