import { Audit } from '../../../src/audit/audit.js';
import { Settings } from '../../../src/config/settings.js';
import type { AuditEvent } from '../../../src/audit/audit-event.js';
import { execute, type SqlValue } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { putClockAhead } from '../../support/clock.js';
import { queued } from '../../support/letters.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, proved, signedIn, PASSWORD, type Person } from '../../support/sign-in.js';

const NEW = 'another long password';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('Notices', () => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const put = (id: number, body: object) => service.http().put(`/api/users/${id}`).send(body).expect(200);
  const run = (sql: string, values: readonly SqlValue[] = []) =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));
  const happens = (event: Omit<AuditEvent, 'outcome'> & Partial<AuditEvent>) =>
    service.app.get(UnitOfWork).run((manager) => service.app.get(Audit).add(manager, { outcome: 'success', ...event }));
  const link = (person: Person, email: string | null) =>
    run(
      'INSERT INTO auth_identities (provider, subject, user_id, email, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)',
      ['google', `sub-${person.id}`, person.id, email, 1, 1],
    );
  /** All mails to a user, once every mail has left. */
  async function mailsTo(person: Person): Promise<string[]> {
    await queued(service.app, (rows) => rows.length === 0);
    return (await service.mailbox.mailsTo(person.email)).map(({ subject }) => subject);
  }

  it('say what happened, when, from where, and how to lock the account down', async () => {
    const ann = await aPerson(service);
    const { token } = await signedIn(service, ann);
    const newPassword = { current_password: PASSWORD, password: NEW };
    const change = service.http(token).post('/api/auth/password/change').set('User-Agent', FIREFOX).send(newPassword);
    await change.expect(204);

    const mail = await service.mailbox.next(ann.email);

    expect(mail.subject).toMatch(/^Your password for \S+ was changed$/);
    expect(mail.text).toMatch(/When: \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC\nFrom: 127\.0\.0\.1, Firefox on Windows/);
    expect(mail.text).toContain('Was this not you?');
    expect(mail.link).toMatch(/\/api\/auth\/lock-down\?token=[\w-]{43}$/);
    expect(mail.raw).not.toContain(NEW);
  });

  it('list linked identities in the letter about a new password', async () => {
    const ann = await aPerson(service);
    await link(ann, 'thief@example.net');

    await put(ann.id, { password: NEW });

    const mail = await service.mailbox.next(ann.email);
    expect(mail.text).toContain('by an administrator');
    expect(mail.text).toMatch(/Remove what you do not know:\nGoogle \(thief@example\.net\)/);
  });

  it('go to the former and the new address, each with a link of its own', async () => {
    const ann = await aPerson(service);
    const email = `new-${ann.id}@example.com`;

    await put(ann.id, { email, password: NEW });

    const [former, present] = [await service.mailbox.next(ann.email), await service.mailbox.next(email)];
    expect(former.subject).toMatch(/^Your account at \S+ was changed$/);
    expect(former.text).toContain(`Its e-mail address is ${email} now; it was ${ann.email}.`);
    expect(former.text).toContain('The password of your account');
    expect(present.subject).toBe(former.subject);
    expect(present.link).not.toBe(former.link);
  });

  it('say that the role is another one, but not of an account that was only invited', async () => {
    const ann = await aPerson(service);
    const invited = await aPerson(service, { password: null });

    await proved(service, ann);
    for (const { id } of [ann, invited]) await put(id, { role: 'editor' });

    expect((await service.mailbox.next(ann.email)).text).toContain('Its role is editor now; it was viewer.');
    expect(await mailsTo(invited)).toEqual([]);
  });

  it('say of an API token what it may do, and nothing that its maker has typed', async () => {
    const ann = await aPerson(service, { role: 'admin' });
    const { token } = await signedIn(service, ann);
    const order = { name: 'visit evil.example', scopes: ['records:read'] };
    const made = await service.http(token).post('/api/admin/tokens').set('User-Agent', 'evil.example').send(order);

    const mail = await service.mailbox.next(ann.email);

    expect(mail.text).toContain(made.body.data.hint);
    expect(mail.text).toContain('records:read');
    expect(mail.raw).not.toContain(made.body.data.token);
    expect(mail.raw).not.toContain('evil.example');
  });

  it('say of a service token that it stands for itself, and of a rotated one which it was', async () => {
    const ann = await aPerson(service, { role: 'admin' });
    const { token } = await signedIn(service, ann);
    const order = { name: 'robot', kind: 'service', scopes: ['records:read'] };
    const made = await service.http(token).post('/api/admin/tokens').send(order).expect(201);
    expect((await service.mailbox.next(ann.email)).text).toContain('a lock-down of your account does not end it');

    await service.http(token).post(`/api/admin/tokens/${made.body.data.id}/rotate`).expect(200);

    const mail = await service.mailbox.next(ann.email);
    expect(mail.subject).toMatch(/^An API token was replaced at /);
    expect(mail.text).toContain(`that begins with ${made.body.data.hint} at`);
    expect(mail.text).toContain('a lock-down of your account does not end it');
  });

  it.each([
    ['provider.link', 'Google was linked to your account', {}],
    ['provider.unlink', 'Google was unlinked from your account', {}],
    ['account.locked', 'Too many wrong sign-ins at localhost:3000', { outcome: 'failure' }],
    ['account.stripped', 'Your address at localhost:3000 is proved', { details: { password: true, tokens: 2 } }],
    ['account.locked_down', 'Your account at localhost:3000 is locked down', { details: { sessions: 1 } }],
    ['login', 'A new device signed in at localhost:3000', { details: { new_device: true } }],
  ] as const)('follow %s', async (event, subject, more) => {
    const { id: userId, email } = await aPerson(service);

    await happens({ event, userId, email, provider: 'google', ...more });

    expect((await service.mailbox.next(email)).subject).toBe(subject.replace('localhost:3000', host()));
  });

  it('are not sent of what was refused, of ordinary sign-ins, nor to people who are kept out', async () => {
    const ann = await aPerson(service);
    const off = await aPerson(service);
    await put(off.id, { disabled: true });

    await happens({ event: 'password.changed', outcome: 'failure', userId: ann.id });
    await happens({ event: 'login', userId: ann.id });
    await happens({ event: 'password.changed', userId: off.id });
    await happens({ event: 'password.changed', userId: 999_999 });

    expect([await mailsTo(ann), await mailsTo(off)]).toEqual([[], []]);
  });

  it.each([
    ['refresh.reused', 10],
    ['token.created', 10],
    ['account.locked', 3],
  ] as const)('of %s are %i a day for each user, and the last one says so', async (event, limit) => {
    const ann = await aPerson(service);
    const again = () => happens({ event, outcome: event === 'token.created' ? 'success' : 'failure', userId: ann.id });

    for (let count = 0; count < limit + 2; count += 1) await again();

    expect(await mailsTo(ann)).toHaveLength(limit);
    const mails = await service.mailbox.mailsTo(ann.email);
    expect(mails.filter(({ text }) => text.includes('not mailed until tomorrow'))).toHaveLength(1);
    putClockAhead(service, 86_401);
    await again();
    expect(await mailsTo(ann)).toHaveLength(limit + 1);
  });

  it('of changes of credentials are not kept back by what strangers and programs cause', async () => {
    const ann = await aPerson(service);
    const [locked, made] = ['account.locked', 'token.created'] as const;
    for (let count = 0; count < 12; count += 1) {
      await happens({ event: locked, outcome: 'failure', userId: ann.id });
      await happens({ event: made, userId: ann.id });
      await happens({ event: 'refresh.reused', outcome: 'failure', userId: ann.id });
    }

    await put(ann.id, { password: NEW });
    for (let count = 0; count < 11; count += 1)
      await happens({ event: 'provider.link', provider: 'google', userId: ann.id });

    const subjects = await mailsTo(ann);
    expect(subjects.filter((subject) => subject.startsWith('Your password for'))).toHaveLength(1);
    expect(subjects.filter((subject) => subject.startsWith('Google was linked'))).toHaveLength(11);
  });

  it('are not sent where their unit of work fails', async () => {
    const ann = await aPerson(service);
    const failing = service.app.get(UnitOfWork).run(async (manager) => {
      await service.app.get(Audit).add(manager, { event: 'password.changed', outcome: 'success', userId: ann.id });
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await mailsTo(ann)).toEqual([]);
  });

  function host(): string {
    return new URL(service.app.get(Settings).publicUrl).host;
  }
});
