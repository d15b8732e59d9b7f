import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { PwnedPasswords } from '../../../src/users/passwords/passwords.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, login, PASSWORD, signedIn } from '../../support/sign-in.js';
import { stretchWaits } from '../../support/stretched-waits.js';

const LEAKED = 'a rather famous sentence';
const FRESH = 'a sentence of my very own';

describe('A password that was leaked elsewhere', () => {
  let server: Server;
  let service: MailedApp;
  let unchecked: MailedApp;
  let isDown: boolean;
  let people = 0;

  beforeAll(async () => {
    const digest = createHash('sha1').update(LEAKED).digest('hex').toUpperCase();
    server = createServer(({ url }, response) => {
      if (isDown) response.destroy();
      else response.end(url === `/range/${digest.slice(0, 5)}` ? `${digest.slice(5)}:9` : `${'0'.repeat(35)}:0`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`;
    service = await startMailedApp({ PWNED_CHECK: url });
    unchecked = await startMailedApp({ PWNED_CHECK: 'off' });
  });

  beforeEach(() => {
    isDown = false;
    stretchWaits(2_000); // so long the other service is waited for
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await unchecked.close();
    await service.close();
    server.close();
    server.closeAllConnections();
  });

  const refusal = ({ status, body }: Response) => [status, body.details];
  const refused = [422, [expect.objectContaining({ field: 'password', rule: 'pwned' })]];
  const address = () => `leak${(people += 1)}@example.com`;
  const create = (password: string, where = service) =>
    where.http().post('/api/users').send({ name: 'Ann', email: address(), password });

  it('is refused for a new user, and for one who is there', async () => {
    const { id } = await aPerson(service);
    const put = (password: string) => service.http().put(`/api/users/${id}`).send({ password });

    expect([refusal(await create(LEAKED)), refusal(await put(LEAKED))]).toEqual([refused, refused]);
    expect([(await create(FRESH)).status, (await put(FRESH)).status]).toEqual([201, 200]);
  });

  it('is refused when a user changes the own one', async () => {
    const ann = await aPerson(service);
    const { token } = await signedIn(service, ann);
    const change = (password: string) =>
      service.http(token).post('/api/auth/password/change').send({ current_password: PASSWORD, password });

    expect(refusal(await change(LEAKED))).toEqual(refused);
    expect((await login(service, ann, PASSWORD)).status).toBe(200);
    expect((await change(FRESH)).status).toBeLessThan(300);
  });

  it('is refused at a reset, and does not spend the link', async () => {
    const { email } = await aPerson(service);
    await service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    const token = tokenOf(await service.mailbox.next(email));
    const reset = (password: string) => service.anonymous().post('/api/auth/password/reset').send({ token, password });

    expect(refusal(await reset(LEAKED))).toEqual(refused);
    expect((await reset(FRESH)).status).toBe(200);
  });

  it('is refused where an invitation is accepted, and does not spend it', async () => {
    const email = address();
    await service.http().post('/api/auth/invitations').send({ name: 'Ann', role: 'editor', email }).expect(201);
    const token = tokenOf(await service.mailbox.next(email));
    const accept = (password: string) =>
      service.anonymous().post('/api/auth/invitations/accept').send({ token, password });

    expect(refusal(await accept(LEAKED))).toEqual(refused);
    expect((await accept(FRESH)).status).toBe(200);
  });

  it('is taken where the service that knows them does not answer', async () => {
    isDown = true;

    expect((await create(LEAKED)).status).toBe(201);
  });

  it('is taken, and goes on as a password, where PWNED_CHECK is off', async () => {
    const { status, body } = await create(LEAKED, unchecked);

    expect(status).toBe(201);
    expect((await login(unchecked, { email: body.email as string }, LEAKED)).status).toBe(200);
  });

  it('is looked for outside of units of work only', async () => {
    const asked: string[] = [];
    // A unit of work inside another one is refused.
    jest.spyOn(service.app.get(PwnedPasswords), 'has').mockImplementation(async (password) => {
      await service.app.get(UnitOfWork).run(() => Promise.resolve(asked.push(password)));
      return false;
    });
    const { id, email } = await aPerson(service);
    await service.http().put(`/api/users/${id}`).send({ password: FRESH }).expect(200);
    await service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    const token = tokenOf(await service.mailbox.next(email, /^A new password for/));

    await service.anonymous().post('/api/auth/password/reset').send({ token, password: FRESH }).expect(200);

    expect(asked).toEqual([PASSWORD, FRESH, FRESH]);
  });
});
