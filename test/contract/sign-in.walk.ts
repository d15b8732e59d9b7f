import { aPerson, PASSWORD, signedIn } from '../support/sign-in.js';
import type { TestApp } from '../support/test-app.js';
import type { Conversation } from './conversation.js';

/** Every answer that the routes of passwords and sessions can give, and those of the keys of their tokens. */
export async function goThroughSignIn(talk: Conversation, service: TestApp): Promise<void> {
  for (const path of ['/.well-known/jwks.json', '/api/auth/jwks', '/.well-known/openid-configuration']) {
    await talk.expectStatus(200, `GET ${path}`, { token: null });
  }
  await talk.expectStatus(200, 'GET /api/auth/methods', { token: null });
  await talk.expectStatus(400, 'GET /api/auth/methods?q=1', { token: null });
  await goThroughLogin(talk, service);
  await goThroughSessions(talk, service);
  await goThroughChange(talk, service);
  await goThroughStepUp(talk, service);
}

async function goThroughLogin(talk: Conversation, service: TestApp): Promise<void> {
  const path = 'POST /api/auth/login';
  const ann = await aPerson(service);
  const off = await aPerson(service);
  await service.http().put(`/api/users/${off.id}`).send({ disabled: true }).expect(200);
  const login = { email: ann.email, password: PASSWORD };
  await talk.expectStatus(200, path, { token: null, body: login });
  await talk.expectStatus(200, path, { token: null, body: { ...login, mode: 'cookie' } });
  await talk.expectStatus(401, path, { token: null, body: { ...login, password: 'wrong' } });
  await talk.expectStatus(403, path, { token: null, body: { ...login, email: off.email } });
  await talk.expectStatus(422, path, { token: null, body: {} });
  const unknown = { email: 'nobody@example.com', password: 'wrong' };
  for (let tries = 0; tries < 5; tries += 1) await talk.expectStatus(401, path, { token: null, body: unknown });
  await talk.expectStatus(429, path, { token: null, body: unknown });
}

async function goThroughSessions(talk: Conversation, service: TestApp): Promise<void> {
  const ann = await aPerson(service);
  const { token, refresh_token: refreshToken } = await signedIn(service, ann);
  await talk.expectStatus(200, 'GET /api/auth/me', { token });
  await talk.expectStatus(200, 'GET /api/auth/me');
  await talk.expectStatus(401, 'GET /api/auth/me', { token: null });
  const other = await signedIn(service, ann);
  const sessions = await talk.expectStatus(200, 'GET /api/auth/sessions', { token });
  await talk.expectStatus(401, 'GET /api/auth/sessions');
  const second = (sessions.body.data as { id: string; current: boolean }[]).find(({ current }) => !current);
  await talk.expectStatus(204, `DELETE /api/auth/sessions/${second?.id}`, { token });
  await talk.expectStatus(404, `DELETE /api/auth/sessions/${second?.id}`, { token });
  await talk.expectStatus(401, `DELETE /api/auth/sessions/${second?.id}`);
  await talk.expectStatus(401, 'POST /api/auth/refresh', { token: null, body: { refresh_token: other.refresh_token } });
  await talk.expectStatus(422, 'POST /api/auth/refresh', { token: null, body: { refresh_token: 1 } });
  const body = { refresh_token: refreshToken };
  await talk.expectStatus(200, 'POST /api/auth/refresh', { token: null, body });
  await talk.expectStatus(200, 'POST /api/auth/refresh', { token: null, body });
  await talk.expectStatus(429, 'POST /api/auth/refresh', { token: null, body });
  const cookie = { Cookie: `cms_refresh=${refreshToken}`, Origin: 'https://evil.example' };
  for (const path of ['refresh', 'logout']) {
    await talk.expectStatus(403, `POST /api/auth/${path}`, { token: null, headers: cookie });
  }
  await talk.expectStatus(422, 'POST /api/auth/logout', { token, body: { scope: 'some' } });
  await talk.expectStatus(204, 'POST /api/auth/logout', { token });
  await talk.expectStatus(401, 'POST /api/auth/logout', { token: null });
}

async function goThroughChange(talk: Conversation, service: TestApp): Promise<void> {
  const path = 'POST /api/auth/password/change';
  const { token } = await signedIn(service, await aPerson(service));
  const change = { current_password: PASSWORD, password: 'battery staple correct' };
  await talk.expectStatus(401, path, { body: change });
  await talk.expectStatus(422, path, { token, body: { ...change, password: 'short' } });
  await talk.expectStatus(204, path, { token, body: change });
  await talk.expectStatus(401, path, { token, body: change });
  for (let tries = 0; tries < 4; tries += 1) await talk.expectStatus(401, path, { token, body: change });
  await talk.expectStatus(429, path, { token, body: change });
}

async function goThroughStepUp(talk: Conversation, service: TestApp): Promise<void> {
  const path = 'POST /api/auth/step-up';
  const { token } = await signedIn(service, await aPerson(service));
  await talk.expectStatus(200, path, { token, body: { password: PASSWORD } });
  await talk.expectStatus(401, path, { token, body: { password: 'wrong' } });
  await talk.expectStatus(400, `${path}?x=1`, { token, body: { password: PASSWORD } });
  await talk.expectStatus(422, path, { token, body: {} });
  for (let tries = 0; tries < 4; tries += 1) await talk.expectStatus(401, path, { token, body: { password: 'wrong' } });
  await talk.expectStatus(429, path, { token, body: { password: PASSWORD } });
}
