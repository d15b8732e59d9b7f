import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { ForeignQueue, LETTER } from '../support/letters.js';
import { Mailbox, waitFor } from '../support/mailbox.js';
import type { TestDatabase } from '../support/test-database.js';

const addresses = (count: number): string[] => Array.from({ length: count }, (_, n) => `reader-${n}@example.com`);

describe('The mail of a service in production', () => {
  let mailbox: Mailbox;
  let database: TestDatabase;
  let queue: ForeignQueue;
  let children: Child[];

  beforeEach(async () => {
    mailbox = await Mailbox.open();
    database = await createMigratedDatabase();
    queue = await ForeignQueue.open(database);
    children = [];
  });

  afterEach(async () => {
    await Promise.all(children.map((child) => child.kill('SIGKILL')));
    await queue.close();
    await database.drop();
    await mailbox.close();
  });

  async function start(environment: Record<string, string> = mailbox.environment): Promise<Child> {
    const child = new Child('main.js', [], { ...production(database), ...environment });
    children.push(child);
    await child.address();
    return child;
  }

  const lines = (child: Child, msg: string) => child.log.filter((line) => line.msg === msg);
  const line = (child: Child, msg: string) =>
    waitFor(() => Promise.resolve(lines(child, msg)[0]), `"${msg}" in the log`);

  it('that was killed goes out after the next start: what waited at once, what was in hand within 15 s', async () => {
    mailbox.server.hang();
    const child = await start();
    await queue.post(addresses(12));
    await queue.waitFor((rows) => rows.filter(({ attempts }) => attempts > 0).length === 5);

    await child.kill('SIGKILL');
    mailbox.server.take();
    await start();

    await queue.waitFor((rows) => rows.length === 5);
    expect(mailbox.server.received).toHaveLength(7);
    const since = performance.now();
    for (const address of addresses(12)) await mailbox.next(address);
    await queue.waitFor((rows) => rows.length === 0);
    expect(mailbox.server.received).toHaveLength(12);
    expect(performance.now() - since).toBeLessThan(15_000);
  });

  it('stays in the hands of its process as long as the attempt goes on, and comes once', async () => {
    mailbox.server.take(9_000);
    await start();
    await queue.post(addresses(1));
    await queue.waitFor(([row]) => row?.attempts === 1);
    const [claimed] = await queue.rows();

    await queue.waitFor(([row]) => Number(row?.due_at) > Number(claimed?.due_at));

    await queue.waitFor((rows) => rows.length === 0);
    expect(mailbox.server.received).toHaveLength(1);
  });

  it('of two processes is sent by one of them, each mail once', async () => {
    mailbox.server.take(60);
    const processes = [await start(), await start()];

    await queue.post(addresses(150));
    await queue.waitFor((rows) => rows.length === 0);

    expect(mailbox.server.received.map(({ to }) => to[0]).sort()).toEqual(addresses(150).sort());
    for (const child of processes) expect((await line(child, 'mail sent')).attempts).toBe(1);
  });

  it('does not hold up the stop, and what is not done goes on at once elsewhere', async () => {
    mailbox.server.hang();
    const child = await start();
    await queue.post(addresses(3));
    await queue.waitFor((rows) => rows.every(({ attempts }) => attempts > 0));

    expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });
    // Handed back while the mail server was still silent: none of them had failed.
    expect((await queue.rows()).map((row) => row.last_error)).toEqual([null, null, null]);
    mailbox.server.take();
    await start();

    for (const address of addresses(3)) await mailbox.next(address);
  });

  it('waits at a stop for mails that are under way', async () => {
    mailbox.server.take(800);
    const child = await start();
    await queue.post(addresses(3));
    await queue.waitFor((rows) => rows.every(({ attempts }) => attempts > 0));

    expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });

    expect(mailbox.server.received).toHaveLength(3);
    expect(await queue.rows()).toEqual([]);
  });

  it('leaves no code and no link in the log, whatever the mail server says', async () => {
    mailbox.server.refuse(554, 'content', `no ${LETTER.code ?? ''} and no ${LETTER.action?.url ?? ''}`);
    const child = await start();
    await queue.post(addresses(1));

    const logged = await line(child, 'a mail could not be delivered and is dropped');

    expect(logged).toMatchObject({ to: 'reader-0@example.com', attempts: 1 });
    expect(logged.reason).toMatch(/554 no \(code\) and no \(link\)$/);
    expect(child.stdout).not.toMatch(/048213|a-secret-token/);
  });

  it('is logged to be of no use without a mail server, and shows no code all the same', async () => {
    const child = await start({ DATA_DIR: '.' });
    await queue.post(addresses(1));

    await line(child, 'SMTP_URL is not set: mails are written into the folder outbox and reach nobody');
    await line(child, 'mail written into the folder outbox, from where it reaches nobody');

    expect(child.stdout).not.toMatch(/048213|a-secret-token/);
  });

  it('is a line of subject and recipient where it goes to the log', async () => {
    const child = await start({ MAIL_TRANSPORT: 'log' });
    await queue.post(addresses(1));

    expect(await line(child, 'mail')).toMatchObject({ to: 'reader-0@example.com', subject: 'Your code' });
    expect(child.stdout).not.toMatch(/048213|a-secret-token/);
  });

  it('in the demo is logged, with its file', async () => {
    const child = await start({ NODE_ENV: 'demo', DATA_DIR: '.' });
    await queue.post(addresses(1));

    expect(await line(child, 'mail')).toMatchObject({
      file: expect.stringMatching(/^outbox\/.*-reader-0@example\.com-.*\.eml$/),
      code: '048213',
      link: LETTER.action?.url,
    });
  });

  it('that cannot be read any more, since APP_SECRET is another one, is dropped with a word', async () => {
    await queue.post(addresses(1));
    const child = await start({ ...mailbox.environment, APP_SECRET: 'another-secret-0123456789-0123456789' });

    await line(child, 'a mail cannot be read and is dropped: APP_SECRET is not what it was');
    await queue.waitFor((rows) => rows.length === 0);
    expect((await call(await child.address(), 'GET', '/health/ready')).status).toBe(200);
  });
});
