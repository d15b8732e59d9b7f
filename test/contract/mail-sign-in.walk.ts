import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import type { Contract } from '../support/contract.js';
import { otherCode, tokenOf } from '../support/mail-sign-in.js';
import { Mailbox, type ReadMail } from '../support/mailbox.js';
import { aPerson } from '../support/sign-in.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { Conversation } from './conversation.js';

const TARGET = 'https://console.example.com/signed-in';
const UNKNOWN_EMAIL = 'nobody@example.com';
const TOKEN = 'x'.repeat(43);

/** Headers tell of the limit of users. */
const NO_LIMIT_BUT_OF_USERS = { RATE_LIMITS: 'auth=0,send=0,send_hourly=0,verify=0' };

/** Every answer that the routes of what comes by mail can give, by services of their own. */
export async function goThroughMailSignIn(contract: Contract): Promise<void> {
  const mailbox = await Mailbox.open();
  const environment = { ...mailbox.environment, REDIRECT_ALLOW_LIST: TARGET };
  const service = await startTestApp({ ...environment, ...NO_LIMIT_BUT_OF_USERS });
  const strict = await startTestApp({ RATE_LIMITS: 'send=1,verify=1,users=1' });
  try {
    const walk = new MailWalk(new Conversation(service, contract), service, mailbox);
    await goThroughCodes(walk);
    await goThroughLinks(walk);
    await goThroughReset(walk);
    await goThroughInvitations(walk);
    await tooOften(new Conversation(strict, contract));
  } finally {
    await Promise.all([service.close(), strict.close()]);
    await mailbox.close();
  }
}

/** Programs that follow a link say what they read. */
const JSON_ONLY = { Accept: 'application/json' };

/** A walk in which mails are read. */
class MailWalk {
  constructor(
    readonly talk: Conversation,
    readonly service: TestApp,
    private readonly mailbox: Mailbox,
  ) {}

  send(status: number, request: string, body: object | string, headers = {}): ReturnType<Conversation['call']> {
    return this.talk.expectStatus(status, request, { token: null, body, headers });
  }

  visit(status: number, path: string, headers = {}): ReturnType<Conversation['call']> {
    return this.talk.expectStatus(status, `GET ${path}`, { token: null, headers });
  }

  /** What a form of our pages posts. */
  form(status: number, path: string, body: string, headers = {}): ReturnType<Conversation['call']> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.send(status, `POST ${path}`, body, { ...type, ...headers });
  }

  /** Asks for a mail to a new address, and reads it. */
  async mail(request: string, options: object = {}): Promise<ReadMail> {
    const { email } = await aPerson(this.service);
    await this.send(200, request, { email, ...options });
    return this.mailbox.next(email);
  }

  /** Invites a new user, and reads the mail. */
  async invite(email: string): Promise<ReadMail & { readonly id: number }> {
    const body = { email, name: 'Ann', role: 'editor' };
    const { user } = (await this.talk.expectStatus(201, 'POST /api/auth/invitations', { body })).body;
    return { ...(await this.mailbox.next(email)), id: user.id as number };
  }

  /** Gives an account the role of the last admin, as a directory does, while something has to be refused for that. */
  async asLastAdmin(email: string, refused: () => Promise<unknown>): Promise<void> {
    const set = (role: string, source: string | null) =>
      this.service.app
        .get(UnitOfWork)
        .run((manager) =>
          execute(manager, 'UPDATE users SET role = ?, role_source = ? WHERE email_key = ?', [role, source, email]),
        );
    await set('admin', 'oidc');
    await refused();
    await set('viewer', null);
  }

  /** The same for a user who is kept out since. */
  async disabled(request: string): Promise<ReadMail> {
    const { id, email } = await aPerson(this.service);
    await this.send(200, request, { email });
    await this.service.http().put(`/api/users/${id}`).send({ disabled: true }).expect(200);
    return this.mailbox.next(email);
  }
}

async function goThroughCodes(walk: MailWalk): Promise<void> {
  const [send, verify] = ['POST /api/auth/otp/send', 'POST /api/auth/otp/verify'];
  const { to: email, code } = await walk.mail(send);
  const off = await walk.disabled(send);
  await walk.send(422, send, { email: 'nobody' });

  await walk.send(401, verify, { email, code: otherCode(code) });
  await walk.asLastAdmin(email, () => walk.send(409, verify, { email, code }));
  await walk.send(200, verify, { email, code, mode: 'cookie' });
  await walk.send(403, verify, { email: off.to, code: off.code });
  await walk.send(422, verify, { email, code: 7 });
}

async function goThroughLinks(walk: MailWalk): Promise<void> {
  const [send, path] = ['POST /api/auth/magic-link', '/api/auth/magic-link/verify'];
  const mail = await walk.mail(send);
  const [first, second] = [tokenOf(mail), tokenOf(await walk.mail(send))];
  const third = tokenOf(await walk.mail(send, { redirect_to: TARGET, code_challenge: TOKEN }));
  const off = tokenOf(await walk.disabled(send));
  await walk.send(422, send, { email: UNKNOWN_EMAIL, redirect_to: 'https://evil.example' });

  await walk.visit(200, `${path}?token=${first}`, { Accept: 'text/html' });
  await walk.visit(204, `${path}?token=${first}`, { 'Sec-Purpose': 'prefetch' });
  await walk.visit(200, `${path}?token=${first}`);
  await walk.asLastAdmin(mail.to, async () => {
    await walk.visit(409, `${path}?token=${first}`, JSON_ONLY);
    await walk.send(409, `POST ${path}`, { token: first });
  });
  await walk.visit(200, `${path}?token=${first}`, JSON_ONLY);
  await walk.visit(401, `${path}?token=${first}`, JSON_ONLY);
  await walk.visit(403, `${path}?token=${off}`, JSON_ONLY);
  await walk.visit(410, `${path}?token=${first}`);
  await walk.visit(410, `${path}?token=${first}`, { Accept: 'text/html' });
  await walk.visit(400, path);
  await walk.visit(400, path, { Accept: 'text/html' });
  await walk.form(200, path, `token=${second}`);
  await walk.form(303, path, `token=${third}`);
  await walk.form(401, path, `token=${third}`);
  await walk.form(403, path, `token=${third}`, { 'Sec-Fetch-Site': 'cross-site' });
  await walk.send(401, `POST ${path}`, { token: first });
  await walk.send(422, `POST ${path}`, { token: 7 });
}

async function goThroughReset(walk: MailWalk): Promise<void> {
  const [forgot, path] = ['POST /api/auth/password/forgot', '/api/auth/password/reset'];
  const mail = await walk.mail(forgot);
  const [first, second] = [tokenOf(mail), tokenOf(await walk.mail(forgot))];
  const off = tokenOf(await walk.disabled(forgot));
  const password = 'a new long password';
  await walk.send(422, forgot, { email: 'nobody' });

  await walk.visit(200, `${path}?token=${first}`);
  await walk.visit(410, `${path}?token=${TOKEN}`);
  await walk.visit(400, path);
  await walk.send(422, `POST ${path}`, { token: first, password: 'short' });
  await walk.asLastAdmin(mail.to, () => walk.send(409, `POST ${path}`, { token: first, password }));
  await walk.send(200, `POST ${path}`, { token: first, password });
  await walk.send(401, `POST ${path}`, { token: first, password });
  await walk.send(403, `POST ${path}`, { token: off, password });
  await walk.form(200, path, `token=${second}&password=${encodeURIComponent(password)}`);
}

async function goThroughInvitations(walk: MailWalk): Promise<void> {
  const [invite, path] = ['POST /api/auth/invitations', '/api/auth/invitations/accept'];
  const first = tokenOf(await walk.invite('first@example.com'));
  const second = tokenOf(await walk.invite('second@example.com'));
  const off = await walk.invite('off@example.com');
  await walk.service.http().put(`/api/users/${off.id}`).send({ disabled: true }).expect(200);
  await walk.talk.expectStatus(422, invite, { body: {} });
  const body = { email: 'first@example.com', name: 'Ann', role: 'admin' };
  await walk.talk.expectStatus(403, invite, { body, token: TOKENS.reader });

  await walk.visit(200, `${path}?token=${first}`);
  await walk.visit(410, `${path}?token=${TOKEN}`);
  await walk.visit(400, path);
  await walk.send(422, `POST ${path}`, { token: first, password: 'short' });
  await walk.asLastAdmin('first@example.com', () => walk.send(409, `POST ${path}`, { token: first }));
  await walk.send(200, `POST ${path}`, { token: first, name: 'Ann A.', password: 'a new long password' });
  await walk.send(401, `POST ${path}`, { token: first });
  await walk.send(403, `POST ${path}`, { token: tokenOf(off) });
  await walk.form(200, path, `token=${second}&password=`);
  await walk.talk.expectStatus(409, invite, { body });
}

/** The second request of each kind. */
async function tooOften(talk: Conversation): Promise<void> {
  const ask = async (status: number, request: string, body?: object): Promise<void> => {
    await talk.expectStatus(status, request, { token: null, ...(body === undefined ? {} : { body }) });
  };
  await ask(200, 'POST /api/auth/otp/send', { email: UNKNOWN_EMAIL });
  for (const path of ['otp/send', 'magic-link', 'password/forgot'])
    await ask(429, `POST /api/auth/${path}`, { email: UNKNOWN_EMAIL });
  await ask(401, 'POST /api/auth/otp/verify', { email: UNKNOWN_EMAIL, code: '000000' });
  await ask(429, 'POST /api/auth/otp/verify', { email: UNKNOWN_EMAIL, code: '000000' });
  await ask(429, `GET /api/auth/magic-link/verify?token=${TOKEN}`);
  await ask(429, 'POST /api/auth/magic-link/verify', { token: TOKEN });
  await ask(429, 'POST /api/auth/invitations/accept', { token: TOKEN });
  const invitation = { body: { email: UNKNOWN_EMAIL, name: 'Nobody', role: 'viewer' } };
  await talk.expectStatus(201, 'POST /api/auth/invitations', invitation);
  await talk.expectStatus(429, 'POST /api/auth/invitations', invitation);
  await ask(429, 'POST /api/auth/password/reset', { token: TOKEN, password: 'a new long password' });
}
