import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Clock } from '../../src/common/clock.js';
import { AgreedTime } from '../../src/database/units/agreed-time.js';
import { LETTER, post, queued, queueOf } from '../support/letters.js';
import { Mailbox, waitFor } from '../support/mailbox.js';
import { MailServer } from '../support/mail-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ANN = 'ann@example.com';
const HOUR_MS = 3_600_000;

describe('A mail that is not taken', () => {
  let mailbox: Mailbox;
  let service: TestApp;
  /** The clock of the service, which stands still between two steps of a test. */
  let now: number;

  beforeEach(async () => {
    mailbox = await Mailbox.open();
    service = await startTestApp(mailbox.environment);
    now = Date.now();
    jest.spyOn(service.app.get(Clock), 'now').mockImplementation(() => now);
    jest.spyOn(service.app.get(AgreedTime), 'now').mockImplementation(() => Promise.resolve(now));
  });

  afterEach(async () => {
    await service.close();
    await mailbox.close();
  });

  const attempted = (times: number) =>
    queued(service.app, ([row]) => row?.attempts === times && row.last_error !== null && isAtRest(row.due_at, times));
  /** A mail that is in hand is due in a minute; one that waits for its next attempt is due sooner. */
  const isAtRest = (dueAt: number | string, times: number) => Number(dueAt) - now <= 2_000 * times;

  it.each(['sender', 'recipient', 'content'] as const)(
    'for now (4xx, %s) is tried again, later each time',
    async (step) => {
      mailbox.server.refuse(451, step);
      await post(service.app, ANN);

      const [first] = await attempted(1);
      expect(first?.last_error).toContain('451 not now');
      expect(Number(first?.due_at)).toBeGreaterThan(now + 500);
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(mailbox.server.attempts).toBe(1);
      now += 2_000;
      await attempted(2);
      mailbox.server.take();
      now += 4_000;

      expect((await mailbox.next(ANN)).code).toBe('048213');
      await queued(service.app, (rows) => rows.length === 0);
      expect(mailbox.server.attempts).toBe(3);
    },
  );

  it('says the same Message-ID at every attempt', async () => {
    mailbox.server.drop();
    await post(service.app, ANN);
    await attempted(1);
    mailbox.server.take();
    now += 2_000;

    const { headers } = await mailbox.next(ANN);

    expect(headers.get('message-id')).toMatch(/^<[0-9a-f-]{36}@localhost>$/);
  });

  it.each(['recipient', 'content'] as const)('ever (5xx, %s) is given up at once', async (step) => {
    mailbox.server.refuse(550, step);
    await post(service.app, ANN);

    await queued(service.app, (rows) => rows.length === 0);

    expect(mailbox.server.attempts).toBe(1);
    expect(mailbox.server.received).toEqual([]);
  });

  it('since the sender is refused (5xx) waits for the operator to mend that', async () => {
    mailbox.server.refuse(550, 'sender');
    await post(service.app, ANN);

    await attempted(1);
    mailbox.server.take();
    now += 2_000;

    await mailbox.next(ANN);
  });

  it('within its life is given up', async () => {
    mailbox.server.refuse(450);
    await post(service.app, ANN, LETTER, now + 10 * 60_000);
    await post(service.app, 'bob@example.com');
    await queued(service.app, ([ann, bob]) => ann?.last_error != null && bob?.last_error != null);
    mailbox.server.take();
    now += 10 * 60_000 + 1;

    await mailbox.next('bob@example.com');
    await queued(service.app, (rows) => rows.length === 0);

    expect(await mailbox.mailsTo(ANN)).toEqual([]);
  });

  it('within a day is given up', async () => {
    mailbox.server.refuse(450);
    await post(service.app, ANN);
    await attempted(1);

    now += 23 * HOUR_MS;
    await queued(service.app, ([row]) => row?.attempts === 2);
    now += 2 * HOUR_MS;
    await queued(service.app, (rows) => rows.length === 0);

    expect(mailbox.server.received).toEqual([]);
  });

  it('holds up neither requests nor other mails for longer than it may', async () => {
    mailbox.server.hang();
    for (let n = 0; n < 8; n += 1) await post(service.app, ANN);

    await service.http().post('/api/cms/post').send({ title: 'Meanwhile' }).expect(201);
    await service.http().get('/api/cms/post').expect(200);
    // Answered while the mail server was still silent.
    expect((await queueOf(service.app)).map((row) => row.last_error)).toEqual(Array(8).fill(null));

    await queued(service.app, ([row]) => row?.last_error != null);
    expect((await queueOf(service.app))[0]?.last_error).toMatch(/greeting|timeout/i);
    mailbox.server.take();
    // Attempts that are under way may still fail, and are due again a minute or more later.
    const minutes = setInterval(() => (now += 60_000), 100);
    try {
      for (let n = 0; n < 8; n += 1) await mailbox.next(ANN);
    } finally {
      clearInterval(minutes);
    }
  });
});

describe('A mail server', () => {
  const user = { user: 'an@a', pass: 'p:w%' };
  let server: MailServer | undefined;
  let service: TestApp | undefined;

  afterEach(async () => {
    await service?.close();
    await server?.stop();
  });

  async function send(knobs: Parameters<typeof MailServer.start>[0], query = ''): Promise<Mailbox> {
    server = await MailServer.start(knobs);
    service = await startTestApp({ SMTP_URL: `${server.url}${query}` });
    await post(service.app, ANN);
    return new Mailbox(server);
  }

  const failure = async (): Promise<string | null | undefined> =>
    service && (await queued(service.app, ([row]) => row?.last_error != null))[0]?.last_error;

  it('gets user and password', async () => {
    await (await send({ auth: user })).next(ANN);

    expect(server?.received[0]).toMatchObject({ user: 'an@a', isEncrypted: false });
  });

  it('that does not know the password gets nothing', async () => {
    server = await MailServer.start({ auth: user });
    service = await startTestApp({ SMTP_URL: server.url.replace('p%3Aw', 'other') });
    await post(service.app, ANN);

    expect(await failure()).toMatch(/Invalid login: 535/);
    expect(await failure()).not.toContain('other');
  });

  it('that answers for ever, a line now and then, is hung up on after 30 s', async () => {
    const talks = new Set<Socket>();
    const endless = createServer((socket) => {
      talks.add(socket);
      socket.on('error', () => undefined).write('220 hello\r\n');
      const talk = setInterval(() => socket.write('250-and another thing\r\n'), 300);
      socket.once('close', () => {
        clearInterval(talk);
      });
    });
    await once(endless.listen(0, '127.0.0.1'), 'listening');
    const { app } = (service = await startTestApp({
      SMTP_URL: `smtp://127.0.0.1:${(endless.address() as AddressInfo).port}`,
    }));
    await post(app, ANN);

    const { last_error: reason } = await waitFor(
      async () => (await queueOf(app)).find((row) => row.last_error !== null),
      'the end of the conversation',
    );

    expect(reason).toBe('The mail server took longer than 30 s.');
    endless.close();
    for (const socket of talks) socket.destroy();
  });

  it('that offers encryption is spoken to in private', async () => {
    await (await send({ auth: user, offersTls: true }, '?tls.rejectUnauthorized=false')).next(ANN);

    expect(server?.received[0]).toMatchObject({ user: 'an@a', isEncrypted: true });
  });

  it('with a certificate that no authority has signed gets nothing', async () => {
    await send({ offersTls: true });

    expect(await failure()).toMatch(/certificate/);
    expect(server?.received).toEqual([]);
  });

  it('that offers no encryption gets neither a password nor a mail where the password would leave the machine', async () => {
    server = await MailServer.start({ auth: user });
    // An address of this machine as well, but none that is known to stay within it.
    service = await startTestApp({ SMTP_URL: server.url.replace('127.0.0.1', '0.0.0.0') });
    await post(service.app, ANN);

    expect(await failure()).toMatch(/STARTTLS|TLS/);
    expect([server.received, server.attempts]).toEqual([[], 0]);
  });

  it('that offers no encryption gets nothing where it is required', async () => {
    await send({}, '?requireTLS=true');

    expect(await failure()).toMatch(/STARTTLS|TLS/);
    expect(server?.received).toEqual([]);
  });
});
