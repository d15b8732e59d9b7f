import { Writer } from '../../src/database/statements/writer.js';
import type { expectError } from './errors.js';
import type { MockIdentityProvider } from './identity-provider.js';
import { aPerson, signedIn } from './sign-in.js';
import { startTestApp, type TestApp } from './test-app.js';
import { TokenIssuer } from './token-issuer.js';

type Answer = Parameters<typeof expectError>[0];

/** `OIDC_USERS` by which members of `staff` alone have access. */
export const STAFF = '{"groups":{"map":{"staff":"viewer"}}}';

/** Brings about the errors that are about identities, at a service whose `OIDC_USERS` is {@link STAFF}. */
export class IdentityErrors {
  /** Both may be made later. */
  constructor(
    private readonly serviceOf: () => TestApp,
    private readonly providerOf: () => MockIdentityProvider,
  ) {}

  private get service(): TestApp {
    return this.serviceOf();
  }

  private get provider(): MockIdentityProvider {
    return this.providerOf();
  }

  /** A user with an identity of the directory. */
  private async managedUser(): Promise<{ readonly id: number; readonly token: string }> {
    const person = await aPerson(this.service);
    const { token } = await signedIn(this.service, person);
    const claims = {
      aud: 'oidc-app',
      nonce: 'n',
      sub: person.email,
      email: person.email,
      email_verified: true,
      groups: ['staff'],
    };
    const body = { id_token: await this.provider.idToken(claims), nonce: 'n' };
    await this.service.http(token).post('/api/auth/oidc/token').send(body).expect(200);
    return { id: person.id, token };
  }

  async managedRole(): Promise<Answer> {
    const { id } = await this.managedUser();
    return this.service.http().put(`/api/users/${id}`).send({ role: 'author' });
  }

  async lastCredential(): Promise<Answer> {
    const { id, token } = await this.managedUser();
    const writer = this.service.app.get(Writer, { strict: false });
    await writer.source.query('UPDATE users SET password_hash = NULL, role_source = NULL WHERE id = ?', [id]);
    const { body } = await this.service.http(token).get('/api/auth/identities');
    return this.service.http(token).delete(`/api/auth/identities/${body.data[0].id}`);
  }

  async unknownIdentity(): Promise<Answer> {
    const { token } = await signedIn(this.service, await aPerson(this.service));
    return this.service.http(token).delete('/api/auth/identities/99999');
  }

  async outsider(): Promise<Answer> {
    const body = {
      id_token: await this.provider.idToken({ aud: 'oidc-app', nonce: 'n', sub: 'outsider' }),
      nonce: 'n',
    };
    return this.service.anonymous().post('/api/auth/oidc/token').send(body);
  }

  /** An identity that is linked, with the session of another user. */
  async foreignIdentity(): Promise<Answer> {
    const claims = { sub: 'theirs', email: 'theirs@elsewhere.example' };
    for (const person of [await aPerson(this.service), await aPerson(this.service)]) {
      const { token } = await signedIn(this.service, person);
      const idToken = await this.provider.idToken({ aud: 'google-ios', nonce: 'n', ...claims });
      const answer = await this.service
        .http(token)
        .post('/api/auth/google/token')
        .send({ id_token: idToken, nonce: 'n' });
      if (answer.status !== 200) return answer;
    }
    throw new Error('the identity was linked twice');
  }

  /** By a service of its own, which trusts another issuer. */
  async withoutSession(): Promise<Answer> {
    const issuer = await TokenIssuer.start();
    const service = await startTestApp(issuer.environment());
    const answer = await service.http(await issuer.sign()).get('/api/auth/sessions');
    await Promise.all([service.close(), issuer.stop()]);
    return answer;
  }
}
