import type { Contract } from '../support/contract.js';
import { tokenOf } from '../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../support/mailed-app.js';
import { TOKENS } from '../support/test-app.js';
import { aPerson, PASSWORD, signedIn } from '../support/sign-in.js';
import { goBeyondTheLimitOfUsers } from './accounts.walk.js';
import { Conversation } from './conversation.js';

const PATH = '/api/auth/lock-down';
const USER_ROUTES = ['GET security', 'GET sessions', 'DELETE sessions', `DELETE sessions/${'0'.repeat(32)}`];

/** Every answer that the routes of what opens an account can give, by a service of their own. */
export async function goThroughSecurity(contract: Contract): Promise<void> {
  const service = await startMailedApp({ RATE_LIMITS: 'on' });
  const strict = await startMailedApp({ RATE_LIMITS: 'users=1' });
  try {
    const talk = new Conversation(service, contract);
    await goThroughLockDown(talk, service);
    await goThroughUsers(talk, service);
    const once = { token: null, body: { token: 'x'.repeat(43) } };
    const often = new Conversation(strict, contract);
    for (let times = 0; times < 60; times += 1) await often.call(`POST ${PATH}`, once);
    await often.expectStatus(429, `POST ${PATH}`, once);
    await often.expectStatus(429, `GET ${PATH}?token=${once.body.token}`, { token: null });
    await often.call('GET /api/users');
    for (const route of USER_ROUTES) {
      const [verb, rest] = route.split(' ');
      await often.expectStatus(429, `${verb} /api/users/1/${rest}`);
    }
    await goBeyondTheLimitOfUsers(often);
  } finally {
    await Promise.all([service.close(), strict.close()]);
  }
}

async function goThroughUsers(talk: Conversation, service: MailedApp): Promise<void> {
  const { id, email } = await aPerson(service);
  const { token } = await signedIn(service, { email });
  await talk.expectStatus(200, 'GET /api/auth/security', { token });
  await talk.expectStatus(400, 'GET /api/auth/security?x=1', { token });
  const path = `/api/users/${id}`;
  const { data } = (await talk.expectStatus(200, `GET ${path}/sessions`)).body;
  await talk.expectStatus(200, `GET ${path}/security`);
  await talk.expectStatus(204, `DELETE ${path}/sessions/${data[0].id}`);
  await talk.expectStatus(204, `DELETE ${path}/sessions`);
  for (const route of USER_ROUTES) {
    const [verb, rest] = route.split(' ');
    await talk.expectStatus(404, `${verb} /api/users/999999/${rest}`);
    await talk.expectStatus(400, `${verb} ${path}/${rest}?x=1`);
    await talk.expectStatus(403, `${verb} ${path}/${rest}`, { token: TOKENS.reader });
  }
}

async function goThroughLockDown(talk: Conversation, service: MailedApp): Promise<void> {
  const [ann, bea] = [await aPerson(service), await aPerson(service)];
  const links = [];
  for (const { id, email } of [ann, bea]) {
    await service.http().put(`/api/users/${id}`).send({ role: 'editor', password: PASSWORD }).expect(200);
    links.push(tokenOf(await service.mailbox.next(email)));
  }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  await talk.expectStatus(200, `GET ${PATH}?token=${links[0]}`, { token: null });
  await talk.expectStatus(400, `GET ${PATH}`, { token: null });
  await talk.expectStatus(410, `GET ${PATH}?token=${'x'.repeat(43)}`, { token: null });
  await talk.expectStatus(200, `POST ${PATH}`, { token: null, body: { token: links[0] } });
  await talk.expectStatus(401, `POST ${PATH}`, { token: null, body: { token: links[0] } });
  await talk.expectStatus(422, `POST ${PATH}`, { token: null, body: {} });
  await talk.expectStatus(200, `POST ${PATH}`, { token: null, body: `token=${links[1]}`, headers: form });
  const cross = { ...form, 'Sec-Fetch-Site': 'cross-site' };
  await talk.expectStatus(403, `POST ${PATH}`, { token: null, body: 'token=x', headers: cross });
  const { token } = await signedIn(service, await aPerson(service));
  await talk.expectStatus(400, 'POST /api/auth/security/lock-down?x=1', { token });
  await talk.expectStatus(200, 'POST /api/auth/security/lock-down', { token });
  await talk.expectStatus(401, 'POST /api/auth/security/lock-down', { token });
}
