import type { JWTPayload } from 'jose';
import type { Response } from 'supertest';
import type { ProviderName } from '../../src/config/provider-settings.js';
import { Reads } from '../../src/database/statements/reads.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { MockIdentityProvider } from './identity-provider.js';
import { Mailbox } from './mailbox.js';
import { PASSWORD, PREPARED, login } from './sign-in.js';
import { API_TOKENS, startTestApp, type TestApp } from './test-app.js';

/** A token that manages users up to viewers, as what synchronises a list of staff has. */
export const STAFF = 'test-staff-token-0123456789';
const TOKENS = `${API_TOKENS},staff=${STAFF};users:write users:read records:read`;

const APPS: Readonly<Record<ProviderName, string>> = { google: 'google-ios', apple: 'apple-ios', oidc: 'oidc-app' };
let nonces = 0;

/** A user as these tests make one. */
interface Fields {
  readonly role?: string;
  readonly password?: string | null;
  /** Whether the address counts as proved; otherwise others have prepared the account. */
  readonly isProved?: boolean;
}

/** A service with all providers and a mailbox, and what tests of accounts and identities do with it. */
export class LinkedApp {
  private constructor(
    readonly service: TestApp,
    readonly provider: MockIdentityProvider,
    readonly mailbox: Mailbox,
    private readonly owns: boolean,
  ) {}

  /** @param beside a service whose database, provider and mailbox this one shares, as another process would */
  static async start(environment: Record<string, string> = {}, beside?: LinkedApp): Promise<LinkedApp> {
    const provider = beside?.provider ?? (await MockIdentityProvider.start());
    const mailbox = beside?.mailbox ?? (await Mailbox.open());
    const shared: Record<string, string> = beside ? { DATABASE_URL: beside.service.database.url } : {};
    const settings = {
      ...provider.environment,
      ...mailbox.environment,
      RATE_LIMITS: 'off',
      API_TOKENS: TOKENS,
      ...shared,
    };
    return new LinkedApp(await startTestApp({ ...settings, ...environment }), provider, mailbox, !beside);
  }

  async stop(): Promise<void> {
    await this.service.close();
    if (!this.owns) return;
    await this.mailbox.close();
    await this.provider.stop();
  }

  /** @returns the id */
  async user(email: string, { role = 'viewer', password = PASSWORD, isProved = true }: Fields = {}): Promise<number> {
    const { body } = await this.service.http().post('/api/users').send({ name: 'Known', email, role, password });
    // As if the user had come by a mail and set the password.
    const came = 'UPDATE users SET email_verified_at = ?, password_given_at = NULL WHERE id = ?';
    if (isProved) await this.write(came, Date.now(), body.id as number);
    else await this.write(PREPARED, body.id as number);
    return body.id as number;
  }

  async session(email: string): Promise<string> {
    const { body } = await login(this.service, { email });
    expect(body).toMatchObject({ token: expect.any(String) });
    return body.token as string;
  }

  /** What is answered to an app with the id_token of a user who has just signed in there. */
  async token(provider: ProviderName, claims: JWTPayload, session?: string): Promise<Response> {
    const nonce = `nonce ${(nonces += 1)}`;
    const all = {
      aud: APPS[provider],
      nonce,
      email_verified: true,
      sub: String(claims.email),
      auth_time: Math.floor(Date.now() / 1_000),
      ...claims,
    };
    const body = { id_token: await this.provider.idToken(all), nonce };
    const agent = session === undefined ? this.service.anonymous() : this.service.http(session);
    return agent.post(`/api/auth/${provider}/token`).send(body);
  }

  select<Row>(sql: string, ...values: (string | number)[]): Promise<Row[]> {
    return this.service.app.get(Reads).select<Row>(sql, values);
  }

  async write(sql: string, ...values: (string | number | null)[]): Promise<void> {
    await this.service.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));
  }

  async identities(userId: number): Promise<string[]> {
    const sql = 'SELECT provider, subject FROM auth_identities WHERE user_id = ? ORDER BY id';
    const rows = await this.select<{ provider: string; subject: string }>(sql, userId);
    return rows.map(({ provider, subject }) => `${provider} ${subject}`);
  }
}
