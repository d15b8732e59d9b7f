import { createHash } from 'node:crypto';
import { PROVIDER_NAMES, type ProviderName } from '../../src/config/provider-settings.js';
import type { Contract } from '../support/contract.js';
import { MockIdentityProvider } from '../support/identity-provider.js';
import { ProviderBrowser, type WayBack } from '../support/provider-browser.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Conversation } from './conversation.js';

const PAGE = 'https://console.example.com/signed-in';
const ANONYMOUS = { token: null };
/** What a browser sends that was shown the page of the link `x`. */
const SHOWN = {
  Cookie: `cms_link=${createHash('sha256').update('x').digest('hex')}`,
  'Sec-Fetch-Site': 'same-origin',
};
const APPS: Readonly<Record<ProviderName, string>> = { google: 'google-ios', apple: 'apple-ios', oidc: 'oidc-app' };

/** Every answer that the routes of identity providers can give, by services of their own. */
export async function goThroughProviders(contract: Contract): Promise<void> {
  const provider = await MockIdentityProvider.start();
  const environment = { SIGNUP: 'open', RATE_LIMITS: 'off', REDIRECT_ALLOW_LIST: PAGE };
  const service = await startTestApp({ ...environment, ...provider.environment });
  const bare = await startTestApp({ RATE_LIMITS: 'off', AUTH_METHODS: 'password' });
  try {
    for (const name of PROVIDER_NAMES) {
      const walk = new ProviderWalk(name, provider, service, new Conversation(service, contract));
      await walk.outOfOrder();
      await walk.tokens();
      await walk.browser();
      await walk.link();
      await notSetUp(name, bare, new Conversation(bare, contract));
    }
    await goThroughLogout(provider, new Conversation(service, contract), new Conversation(bare, contract));
    await goThroughExchange(provider, service, new Conversation(service, contract));
  } finally {
    await Promise.all([service.close(), bare.close()]);
    await provider.stop();
  }
}

async function notSetUp(name: ProviderName, service: TestApp, talk: Conversation): Promise<void> {
  const { token } = await signedIn(service, await aPerson(service));
  await talk.expectStatus(503, `POST /api/auth/${name}/link`, { token, body: {} });
  await talk.expectStatus(503, `GET /api/auth/${name}/redirect`, ANONYMOUS);
  await talk.expectStatus(503, `POST /api/auth/${name}/redirect?link=x`, { ...ANONYMOUS, headers: SHOWN });
  await talk.expectStatus(503, `GET /api/auth/${name}/callback?code=x&state=y`, ANONYMOUS);
  await talk.expectStatus(503, `POST /api/auth/${name}/token`, { ...ANONYMOUS, body: { id_token: 'x', nonce: 'n' } });
}

class ProviderWalk {
  private readonly path: string;

  constructor(
    private readonly name: ProviderName,
    private readonly provider: MockIdentityProvider,
    private readonly service: TestApp,
    private readonly talk: Conversation,
  ) {
    this.path = `/api/auth/${name}`;
  }

  /** First, as long as nothing that the provider said is remembered. */
  async outOfOrder(): Promise<void> {
    this.provider.behaviour = { discovery: 'html' };
    if (this.name === 'oidc') {
      await this.talk.expectStatus(502, `GET ${this.path}/redirect`, ANONYMOUS);
      await this.talk.expectStatus(502, `POST ${this.path}/redirect?link=x`, { ...ANONYMOUS, headers: SHOWN });
      await this.talk.expectStatus(502, `POST ${this.path}/backchannel-logout`, {
        ...ANONYMOUS,
        form: { logout_token: 'x' },
      });
      const { token } = await signedIn(this.service, await aPerson(this.service));
      await this.talk.expectStatus(502, `POST ${this.path}/link`, { token, body: {} });
    }
    this.provider.behaviour = { jwks: 'html' };
    await this.token(502, {});
    this.provider.behaviour = {};
  }

  async tokens(): Promise<void> {
    const email = `${this.name}@example.org`;
    await this.service.http().post('/api/users').send({ name: 'Unproved', email }).expect(201);
    await this.token(200, {});
    await this.token(401, { aud: 'x' });
    await this.token(403, { sub: 'x', email_verified: false });
    await this.token(409, { sub: 'y', email });
    await this.talk.expectStatus(400, `POST ${this.path}/token?x=1`, {
      ...ANONYMOUS,
      body: { id_token: 'x', nonce: 'n' },
    });
    await this.talk.expectStatus(422, `POST ${this.path}/token`, { ...ANONYMOUS, body: {} });
  }

  async browser(): Promise<void> {
    await this.talk.expectStatus(400, `GET ${this.path}/redirect?x=1`, ANONYMOUS);
    await this.talk.expectStatus(401, `GET ${this.path}/redirect`, { token: 'cms_no-such-token' });
    await this.comeBack(200);
    await this.comeBack(303, {}, { redirect_to: PAGE });
    await this.comeBack(401, { return: 'cancel' });
    await this.comeBack(403, { claims: { sub: 'x', email_verified: false } });
    await this.comeBack(409, { claims: { sub: 'y', email: `${this.name}@example.org` } });
    await this.comeBack(502, { token: 'html' });
    await this.talk.expectStatus(400, `GET ${this.path}/callback`, ANONYMOUS);
    if (this.name === 'apple') {
      const long = { code: 'x'.repeat(3_000) };
      await this.talk.expectStatus(422, `POST ${this.path}/callback`, { ...ANONYMOUS, body: long });
      await this.talk.expectStatus(303, `POST ${this.path}/callback`, { ...ANONYMOUS, body: { code: 'x' } });
    }
  }

  async link(): Promise<void> {
    const path = `POST ${this.path}/link`;
    const person = await aPerson(this.service);
    const { token } = await signedIn(this.service, person);
    const { body } = await this.talk.expectStatus(200, path, { token, body: { redirect_to: PAGE } });
    const { pathname, search } = new URL(body.data.url as string);
    const { headers } = await this.talk.expectStatus(200, `GET ${pathname}${search}`, ANONYMOUS);
    const shown = { ...SHOWN, Cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
    for (const [status, sent] of [
      [403, {}],
      [302, shown],
      [400, shown],
    ] as const) {
      await this.talk.expectStatus(status, `POST ${pathname}${search}`, { ...ANONYMOUS, form: {}, headers: sent });
    }
    await this.talk.expectStatus(400, `${path}?x=1`, { token, body: {} });
    await this.talk.expectStatus(401, path, { ...ANONYMOUS, body: {} });
    await this.talk.expectStatus(422, path, { token, body: { redirect_to: 7 } });
  }

  private async token(status: number, claims: object): Promise<void> {
    const person = { sub: this.name, email: `${this.name}@gmail.com`, email_verified: true, nonce: 'n' };
    const idToken = await this.provider.idToken({ ...person, aud: APPS[this.name], ...claims });
    const body = { id_token: idToken, nonce: 'n' };
    await this.talk.expectStatus(status, `POST ${this.path}/token`, { ...ANONYMOUS, body });
  }

  private async comeBack(
    status: number,
    behaviour: MockIdentityProvider['behaviour'] = {},
    query: Record<string, string> = {},
  ): Promise<void> {
    const claims = { sub: this.name, email: `${this.name}@gmail.com`, ...behaviour.claims };
    this.provider.behaviour = { ...behaviour, claims };
    const user = new ProviderBrowser(this.service);
    const search = new URLSearchParams(query).toString();
    await this.talk.expectStatus(302, `GET ${this.path}/redirect?${search}`, ANONYMOUS);
    const back = await user.visit(this.name, query);
    const headers = { Cookie: [...user.cookies].map((pair) => pair.join('=')).join('; ') };
    await this.talk.expectStatus(status, `GET ${queryOf(back)}`, { ...ANONYMOUS, headers });
    this.provider.behaviour = {};
  }
}

function queryOf({ path, form }: WayBack): string {
  return path.includes('?') ? path : `${path}?${new URLSearchParams(form).toString()}`;
}

async function goThroughExchange(provider: MockIdentityProvider, service: TestApp, talk: Conversation): Promise<void> {
  const path = 'POST /api/auth/exchange';
  provider.behaviour = { claims: { sub: 'leaving', email: 'leaving@gmail.com' } };
  const codes = await Promise.all(
    [1, 2].map(() => new ProviderBrowser(service).signIn('google', { redirect_to: PAGE })),
  );
  const [code, late] = codes.map(({ headers }) => new URL(String(headers.location)).searchParams.get('code'));
  const { body } = await talk.expectStatus(200, path, { ...ANONYMOUS, body: { code } });
  await talk.expectStatus(400, path, { ...ANONYMOUS, body: { code } });
  await talk.expectStatus(422, path, { ...ANONYMOUS, body: {} });
  await service.http().put(`/api/users/${body.user.id}`).send({ disabled: true }).expect(200);
  await talk.expectStatus(403, path, { ...ANONYMOUS, body: { code: late } });
}

async function goThroughLogout(provider: MockIdentityProvider, talk: Conversation, bare: Conversation): Promise<void> {
  const path = 'POST /api/auth/oidc/backchannel-logout';
  const form = async () => ({ logout_token: await provider.logoutToken({ sub: 'oidc' }) });
  await talk.expectStatus(200, path, { ...ANONYMOUS, form: await form() });
  await talk.expectStatus(400, path, { ...ANONYMOUS, form: {} });
  await bare.expectStatus(503, path, { ...ANONYMOUS, form: await form() });
}
