import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { queued } from '../../support/letters.js';
import { mailedCode, tokenOf } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, PASSWORD, type Person } from '../../support/sign-in.js';

const HOME = '192.0.2.10';
const AWAY = '198.51.100.7';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** From where a request comes. */
interface Place {
  readonly ip?: string;
  readonly program?: string;
  readonly cookie?: string;
}

describe('A sign-in on a new device', () => {
  let service: MailedApp;
  let ann: Person;

  beforeAll(async () => {
    service = await startMailedApp({ TRUST_PROXY: '1' });
  });

  beforeEach(async () => {
    ann = await aPerson(service);
  });

  afterAll(() => service.close());

  const post = (path: string, body: object, { ip = HOME, program = FIREFOX, cookie = '' }: Place = {}) =>
    service
      .anonymous()
      .post(`/api/auth/${path}`)
      .set({ 'X-Forwarded-For': ip, 'User-Agent': program, Cookie: cookie })
      .send(body);
  const login = (place?: Place, { email } = ann) => post('login', { email, password: PASSWORD }, place).expect(200);
  /** The cookie of the device that the answer to a sign-in sets. */
  const deviceOf = async (person = ann) => String((await login({}, person)).headers['set-cookie']).split(';')[0] ?? '';

  async function notices(): Promise<string[]> {
    await queued(service.app, (rows) => rows.length === 0);
    const mails = await service.mailbox.mailsTo(ann.email);
    return mails.filter(({ subject }) => subject.startsWith('A new device')).map(({ text }) => text);
  }

  it('is mailed to the owner, and is in the audit', async () => {
    await login();
    await login({ ip: AWAY, program: CHROME });

    const [text, ...others] = await notices();
    expect(text).toContain('was opened by its password on a device that was not used before');
    expect(text).toContain(`From: ${AWAY}, Chrome on Linux`);
    expect(others).toEqual([]);
    const { body } = await service.http().get(`/api/admin/audit?event=login&user_id=${ann.id}`).expect(200);
    expect(body.data).toMatchObject([{ details: { new_device: true } }, { details: null }]);
  });

  it('is not the first sign-in of an account', async () => {
    await login({ ip: AWAY, program: CHROME });

    expect(await notices()).toEqual([]);
  });

  it('is none where the device shows its cookie, wherever it is', async () => {
    const cookie = await deviceOf();

    await login({ ip: AWAY, program: CHROME, cookie });

    expect(await notices()).toEqual([]);
  });

  it('is one where the device shows the cookie of another user', async () => {
    await login();
    const cookie = await deviceOf(await aPerson(service));

    await login({ ip: AWAY, cookie });

    expect(await notices()).toHaveLength(1);
  });

  it('is mailed once to users of programs that keep no cookies, also after updates', async () => {
    await login();
    const versions = ['curl/8.5.0', 'curl/8.5.0', 'curl/8.12.1', 'curl/9.0'];
    for (const [at, program] of versions.entries()) await login({ ip: `198.51.100.${at + 1}`, program });
    for (const at of [1, 2]) await login({ ip: `2001:db8:0:1::${at}`, program: 'curl/8.5.0' });

    expect(await notices()).toHaveLength(2);
  });

  it.each([
    ['another network', { ip: AWAY }],
    ['another program', { program: CHROME }],
  ])('is one without a cookie from %s', async (_, place) => {
    await login();
    await login(place);

    expect(await notices()).toHaveLength(1);
  });

  it('stays one where the session of the last time was ended out of distrust', async () => {
    await login();
    for (let times = 0; times < 2; times += 1) {
      await login({ ip: AWAY });
      await service.http().delete(`/api/users/${ann.id}/sessions`).expect(204);
    }

    expect(await notices()).toHaveLength(2);
  });

  it('is one after a reset of the password, though the device shows its cookie from before', async () => {
    const [cookie, password] = [await deviceOf(), 'another correct horse'];
    await service.http().put(`/api/users/${ann.id}`).send({ password }).expect(200);
    const { headers } = await post('login', { email: ann.email, password }, { cookie });
    const after = String(headers['set-cookie']).split(';')[0] ?? '';

    await post('login', { email: ann.email, password }, { ip: AWAY, program: CHROME, cookie: after }).expect(200);

    expect(await notices()).toHaveLength(1);
  });

  it('is one after a lock-down of an account without a password, though the device shows its cookie from before', async () => {
    await service.http().put(`/api/users/${ann.id}`).send({ password: null }).expect(200);
    const byCode = async (place: Place) => {
      await service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_counters', []));
      await service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_challenges', []));
      const { code } = await mailedCode(service, service.mailbox, ann.email);
      return post('otp/verify', { email: ann.email, code }, place).expect(200);
    };
    const { headers, body } = await byCode({});
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    await service
      .http(body.token as string)
      .post('/api/auth/security/lock-down')
      .expect(200);

    await byCode({ cookie });

    expect(await notices()).toHaveLength(1);
  });

  it('is one of a user whose sessions are forgotten by now', async () => {
    await login();
    await service.app
      .get(UnitOfWork)
      .run((manager) => execute(manager, 'DELETE FROM auth_sessions WHERE user_id = ?', [ann.id]));

    await login({ ip: AWAY });

    expect(await notices()).toHaveLength(1);
  });

  it('is one by code and by link too', async () => {
    await post('otp/verify', { email: ann.email, code: (await mailedCode(service, service.mailbox, ann.email)).code });
    expect(await notices()).toEqual([]);
    const link = async (place: Place) => {
      await service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_counters', []));
      await service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_challenges', []));
      return post(
        'magic-link/verify',
        { token: tokenOf(await mailedCode(service, service.mailbox, ann.email)) },
        place,
      );
    };

    expect((await link({ ip: AWAY })).status).toBe(200);

    expect(await notices()).toEqual([expect.stringContaining('by a link from a mail')]);
  });
});
