import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JobQueue } from '../../src/common/jobs/job-queue.js';
import { Settings } from '../../src/config/settings.js';
import { select } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { MailQueue } from '../../src/mail/mail-queue.js';
import { MailTransport } from '../../src/mail/transports/mail-transport.js';
import { runner } from '../support/cli-runner.js';
import { passTime } from '../support/clock.js';
import { Gate } from '../support/gate.js';
import { LETTER, post, queued, queueOf } from '../support/letters.js';
import { Mailbox, readOutbox, waitFor } from '../support/mailbox.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ANN = 'ann@example.com';

describe('Mail', () => {
  let mailbox: Mailbox;
  let service: TestApp;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    service = await startTestApp({
      ...mailbox.environment,
      PUBLIC_URL: 'https://cms.example.com',
      MAIL_FROM: 'Exämple, Ltd. <hello@example.com>',
    });
  });

  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });

  it('arrives as text and as HTML, with its code and its link', async () => {
    await post(service.app, ANN);

    const mail = await mailbox.next(ANN);

    expect(mail).toMatchObject({ to: ANN, subject: 'Your code', code: '048213', link: LETTER.action?.url });
    expect(mail.text).toContain('Somebody wants to sign in');
    expect(mail.html).toContain('>048213</strong>');
    expect(mail.headers.get('content-type')).toMatch(/^multipart\/alternative/);
    await queued(service.app, (rows) => rows.length === 0);
  });

  it('says where it is from, and that no answer is needed', async () => {
    const start = Date.now();
    await post(service.app, 'headers@example.com');

    const { headers } = await mailbox.next('headers@example.com');

    expect(headers.get('from')).toMatch(/<hello@example\.com>$/);
    expect(headers.get('message-id')).toMatch(/^<[0-9a-f-]{36}@cms\.example\.com>$/);
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('x-auto-response-suppress')).toBe('All');
    expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(start - 2_000);
    expect(headers.has('x-mailer')).toBe(false);
  });

  it('starts right after the commit, and not with the rounds that look for mails of other processes', async () => {
    jest.spyOn(JobQueue.prototype, 'every').mockReturnValue();
    const alone = await startTestApp(mailbox.environment);

    await post(alone.app, 'soon@example.com');

    await mailbox.next('soon@example.com');
    jest.restoreAllMocks();
    await alone.close();
  });

  it('leaves after the commit, and never without one', async () => {
    let seen: unknown[] = [];
    await service.app.get(UnitOfWork).run(async (manager) => {
      await service.app.get(MailQueue).add(manager, 'commit@example.com', LETTER);
      const claimed = await service.app.get(MailQueue).claim(10, []);
      seen = [...claimed, ...(await mailbox.mailsTo('commit@example.com'))];
    });
    const rolledBack = service.app.get(UnitOfWork).run(async (manager) => {
      await service.app.get(MailQueue).add(manager, 'never@example.com', LETTER);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await post(service.app, 'after@example.com');

    await mailbox.next('commit@example.com');
    await mailbox.next('after@example.com');
    expect(seen).toEqual([]);
    expect(await mailbox.mailsTo('never@example.com')).toEqual([]);
  });

  it('is sent once, though its process stood still for longer than it keeps a mail in hand', async () => {
    const gate = new Gate();
    const send = jest.spyOn(service.app.get(MailTransport), 'send').mockImplementation(() => gate.opened);
    const attempts = (count: number) =>
      waitFor(() => Promise.resolve(send.mock.calls.length >= count || null), `${count} attempts`);
    await post(service.app, 'slow@example.com');
    await attempts(1);

    passTime(service, 60);
    await post(service.app, 'next@example.com');
    await attempts(2);
    gate.open();
    await queued(service.app, (rows) => rows.length === 0);

    expect(send.mock.calls.map(([{ to }]) => to)).toEqual(['slow@example.com', 'next@example.com']);
    jest.restoreAllMocks();
  });

  it('without an addressee does the same work and goes nowhere', async () => {
    const { length } = mailbox.server.received;

    const stored = await service.app.get(UnitOfWork).run(async (manager) => {
      await service.app.get(MailQueue).add(manager, null, LETTER);
      const [row] = await select<{ content: Buffer }>(manager, 'SELECT content FROM mail_queue');
      return row?.content;
    });
    await queued(service.app, (rows) => rows.length === 0);

    expect(stored?.length).toBeGreaterThan(JSON.stringify(LETTER).length);
    expect(mailbox.server.received).toHaveLength(length);
  });

  it('comes as often as it was posted, many at once', async () => {
    const addresses = Array.from({ length: 40 }, (_, n) => `many-${n}@example.com`);

    await Promise.all(addresses.map((address) => post(service.app, address)));

    for (const address of addresses) await mailbox.next(address);
    await queued(service.app, (rows) => rows.length === 0);
    for (const address of addresses) expect(await mailbox.mailsTo(address)).toHaveLength(1);
  });

  it('cannot be made to go elsewhere, or to hold what it should not', async () => {
    const script = '<script>alert(1)</script>';
    const subject = `Hi ${script}\r\nBcc: eve@example.com\r\n\r\nbody`;

    await post(service.app, 'subject@example.com', { ...LETTER, subject, paragraphs: [script] });
    const mail = await mailbox.next('subject@example.com');

    expect(mail.subject).toBe(`Hi ${script} Bcc: eve@example.com body`);
    expect(mail.headers.has('bcc')).toBe(false);
    expect(mail.html).not.toContain('<script');
    expect(mailbox.server.received.at(-1)?.to).toEqual(['subject@example.com']);
  });

  it.each([
    'ann@example.com\r\nRCPT TO:<eve@example.com>',
    'ann@example.com, eve@example.com',
    'ann@example.com>,<eve@example.com',
    '"a\r\nb"@example.com',
    '',
  ])('to %j is not sent', async (to) => {
    const { length } = mailbox.server.received;

    await post(service.app, to);
    await queued(service.app, (rows) => rows.length === 0);

    expect(mailbox.server.received).toHaveLength(length);
  });
});

describe('A mail that waits', () => {
  let mailbox: Mailbox;
  let service: TestApp;

  beforeAll(async () => {
    mailbox = await Mailbox.open();
    mailbox.server.refuse(450);
    service = await startTestApp(mailbox.environment);
  });

  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });

  it('is sealed: neither its code, nor its link, nor its recipient stands in the database', async () => {
    await post(service.app, ANN);
    const [row] = await queued(service.app, (rows) => rows[0]?.last_error != null);

    const { address } = service.database;
    const stored =
      address.kind === 'sqlite'
        ? await everyFileOf(dirname(address.file))
        : JSON.stringify(await queueOf(service.app)) + (row?.content.toString('latin1') ?? '');

    expect(stored.length).toBeGreaterThan(400);
    expect(stored).not.toMatch(/048213|a-secret-token|ann@example\.com/);
  });

  it('is in no backup: a copy of the service must not send it a second time', async () => {
    await post(service.app, ANN);

    const { code, out } = await runner({ DATABASE_URL: service.database.url })('digest');

    expect(code).toBe(0);
    expect(out).toMatch(/^users /m);
    expect(out).not.toContain('mail_queue');
  });
});

async function everyFileOf(folder: string): Promise<string> {
  const names = await readdir(folder);
  expect(names).toContain('cms.sqlite-wal');
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('');
}

describe('The outbox, where there is no mail server', () => {
  let service: TestApp;
  let folder: string;

  beforeAll(async () => {
    service = await startTestApp();
    folder = join(service.app.get(Settings).dataDir, 'outbox');
  });

  afterAll(() => service.close());

  it('has each mail as a file that only the service can read', async () => {
    await post(service.app, ANN);

    const [mail] = await waitFor(() => filled(service), 'a mail in the outbox');

    expect(mail).toMatchObject({ to: ANN, subject: 'Your code', code: '048213', link: LETTER.action?.url });
    const [name = ''] = await readdir(folder);
    expect(name).toMatch(/^\d{8}T\d{9}Z-ann@example\.com-[0-9a-f]{8}\.eml$/);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(mail?.raw).toMatch(/^From: .*\r\nTo: ann@example\.com\r\n/m);
  });

  it('has names that lead nowhere else', async () => {
    await post(service.app, "../../../etc/o'neil|x@example.com");

    await queued(service.app, (rows) => rows.length === 0);

    const names = (await readdir(folder)).filter((name) => name.includes('neil'));
    expect(names).toEqual([expect.stringMatching(/Z-\.\._\.\._\.\._etc_o_neil_x@example\.com-[0-9a-f]{8}\.eml$/)]);
  });
});

async function filled({ app }: TestApp) {
  const mails = await readOutbox(app.get(Settings).dataDir);
  return mails.length > 0 ? mails : null;
}
