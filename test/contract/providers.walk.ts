import { PROVIDER_NAMES, type ProviderName } from '../../src/config/provider-settings.js';
import type { Contract } from '../support/contract.js';
import { MockIdentityProvider } from '../support/identity-provider.js';
import { ProviderBrowser, type WayBack } from '../support/provider-browser.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Conversation } from './conversation.js';

const PAGE = 'https://console.example.com/signed-in';
const NOBODY = { token: null };
const APPS: Readonly<Record<ProviderName, string>> = { google: 'google-ios', apple: 'apple-ios', oidc: 'oidc-app' };

/** Every answer that the routes of identity providers can give, by services of their own. */
export async function goThroughProviders(contract: Contract): Promise<void> {
  const provider = await MockIdentityProvider.start();
  const environment = { SIGNUP: 'domains:gmail.com', RATE_LIMITS: 'off', REDIRECT_ALLOW_LIST: PAGE };
  const service = await startTestApp({ ...environment, ...provider.environment });
  const bare = await startTestApp({ RATE_LIMITS: 'off', AUTH_METHODS: 'password' });
  try {
    for (const name of PROVIDER_NAMES) {
      const walk = new ProviderWalk(name, provider, service, new Conversation(service, contract));
      await walk.outOfOrder();
      await walk.tokens();
      await walk.browser();
      await notSetUp(name, new Conversation(bare, contract));
    }
    await goThroughExchange(provider, service, new Conversation(service, contract));
  } finally {
    await Promise.all([service.close(), bare.close()]);
    await provider.stop();
  }
}

async function notSetUp(name: ProviderName, talk: Conversation): Promise<void> {
  await talk.expectStatus(503, `GET /api/auth/${name}/redirect`, NOBODY);
  await talk.expectStatus(503, `GET /api/auth/${name}/callback?code=x&state=y`, NOBODY);
  await talk.expectStatus(503, `POST /api/auth/${name}/token`, { ...NOBODY, body: { id_token: 'x', nonce: 'n' } });
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
    if (this.name === 'oidc') await this.talk.expectStatus(502, `GET ${this.path}/redirect`, NOBODY);
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
    if (this.name === 'google') await this.token(409, { sub: 'y', email });
    await this.talk.expectStatus(400, `POST ${this.path}/token?x=1`, {
      ...NOBODY,
      body: { id_token: 'x', nonce: 'n' },
    });
    await this.talk.expectStatus(422, `POST ${this.path}/token`, { ...NOBODY, body: {} });
  }

  async browser(): Promise<void> {
    await this.talk.expectStatus(400, `GET ${this.path}/redirect?x=1`, NOBODY);
    await this.talk.expectStatus(401, `GET ${this.path}/redirect`, { token: 'cms_no-such-token' });
    await this.comeBack(200);
    await this.comeBack(303, {}, { redirect_to: PAGE });
    await this.comeBack(401, { return: 'cancel' });
    await this.comeBack(403, { claims: { sub: 'x', email_verified: false } });
    if (this.name === 'google') await this.comeBack(409, { claims: { sub: 'y', email: 'google@example.org' } });
    await this.comeBack(502, { token: 'html' });
    await this.talk.expectStatus(400, `GET ${this.path}/callback`, NOBODY);
    if (this.name === 'apple') {
      const long = { code: 'x'.repeat(3_000) };
      await this.talk.expectStatus(422, `POST ${this.path}/callback`, { ...NOBODY, body: long });
      await this.talk.expectStatus(303, `POST ${this.path}/callback`, { ...NOBODY, body: { code: 'x' } });
    }
  }

  private async token(status: number, claims: object): Promise<void> {
    const person = { sub: this.name, email: `${this.name}@gmail.com`, email_verified: true, nonce: 'n' };
    const idToken = await this.provider.idToken({ ...person, aud: APPS[this.name], ...claims });
    const body = { id_token: idToken, nonce: 'n' };
    await this.talk.expectStatus(status, `POST ${this.path}/token`, { ...NOBODY, body });
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
    await this.talk.expectStatus(302, `GET ${this.path}/redirect?${search}`, NOBODY);
    const back = await user.visit(this.name, query);
    const headers = { Cookie: [...user.cookies].map((pair) => pair.join('=')).join('; ') };
    await this.talk.expectStatus(status, `GET ${queryOf(back)}`, { ...NOBODY, headers });
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
  const { body } = await talk.expectStatus(200, path, { ...NOBODY, body: { code } });
  await talk.expectStatus(400, path, { ...NOBODY, body: { code } });
  await talk.expectStatus(422, path, { ...NOBODY, body: {} });
  await service.http().put(`/api/users/${body.user.id}`).send({ disabled: true }).expect(200);
  await talk.expectStatus(403, path, { ...NOBODY, body: { code: late } });
}
