import { Reads } from '../../../src/database/statements/reads.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { ApiTokensService } from '../../../src/auth/tokens/api/api-tokens.service.js';
import { hashOf } from '../../../src/auth/secrets/secrets.js';
import { expectError } from '../../support/errors.js';
import { API_TOKENS, startTestApp, type TestApp } from '../../support/test-app.js';
import { twinOf } from '../../support/twin.js';

const ROUTE = '/api/admin/tokens';
const CI = 'test-ci-token-0123456789abc';
const OPS_ADMIN = 'test-ops-token-0123456789ab';
const SCOPES = ['tokens:write', 'records:read'];
const WITH_CI = `${API_TOKENS},ci=${CI};${SCOPES.join(' ')},ops=${OPS_ADMIN}`;

interface Issued {
  readonly id: number;
  readonly token: string;
  readonly configured_parent: string | null;
}

describe('API tokens made with a token of API_TOKENS', () => {
  /** Has `ci` and `ops` in its settings. */
  let service: TestApp;
  /** The same database with the settings of after their removal. */
  let after: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off', API_TOKENS: WITH_CI });
    after = await twinOf(service);
  });

  afterAll(async () => {
    await after.close();
    await service.close();
  });

  const issue = async (maker?: string, order: object = {}): Promise<Issued> => {
    const body = { name: 'made', scopes: SCOPES, ...order };
    return (await service.http(maker).post(ROUTE).send(body).expect(201)).body.data;
  };
  const rotated = async (id: number, by?: string): Promise<Issued> =>
    (await service.http(by).post(`${ROUTE}/${id}/rotate`).expect(200)).body.data;
  const statusIn = async (instance: TestApp, { token }: { readonly token: string }): Promise<number> =>
    (await instance.http(token).get(ROUTE)).status;
  const expectStatus = async (tokens: readonly Issued[], before: number, then: number): Promise<void> => {
    for (const token of tokens) {
      expect([await statusIn(service, token), await statusIn(after, token)]).toEqual([before, then]);
    }
  };
  /** As of a version that did not note who made it, or made by the command line. */
  const unbound = async (order: object = {}): Promise<Issued> => {
    const token = await issue(undefined, order);
    await service.app
      .get(UnitOfWork)
      .run((manager) => execute(manager, 'UPDATE api_tokens SET configured_parent = NULL WHERE id = ?', [token.id]));
    return token;
  };

  it('end with it, also after rotations', async () => {
    const made = await issue(CI, { expires_at: 'never' });
    const byMaker = await rotated((await issue(CI)).id, CI);
    const byAnother = await rotated((await issue(CI)).id, OPS_ADMIN);

    await expectStatus([made, byMaker, byAnother], 200, 401);
    expect((await after.http(CI).get(ROUTE)).status).toBe(401);
  });

  it('go on while it is there', async () => {
    const token = await issue();
    expect(token.configured_parent).toBe('present');
    await expectStatus([token], 200, 200);
  });

  it('end with its secret, also where another one has its name', async () => {
    const token = await issue(CI);
    const other = await twinOf(service, { API_TOKENS: `${API_TOKENS},ci=another-${CI};${SCOPES.join(' ')}` });
    expect(await statusIn(other, token)).toBe(401);
    await other.close();
  });

  it('are shown as ended, are rotated no more, and can be revoked', async () => {
    const { id } = await issue(CI);
    const shown = async (instance: TestApp) => (await instance.http().get(`${ROUTE}/${id}`).expect(200)).body.data;
    const listed = async (instance: TestApp) =>
      (await instance.http().get(ROUTE).expect(200)).body.data.find((one: Issued) => one.id === id);

    expect([(await shown(service)).configured_parent, (await listed(service)).configured_parent]).toEqual([
      'present',
      'present',
    ]);
    expect([(await shown(after)).configured_parent, (await listed(after)).configured_parent]).toEqual([
      'removed',
      'removed',
    ]);
    expectError(await after.http().post(`${ROUTE}/${id}/rotate`), 'token_not_found');
    await after.http().delete(`${ROUTE}/${id}`).expect(204);
  });

  it('show no hash of its secret', async () => {
    const { id } = await issue(CI);
    const { text } = await service.http().get(`${ROUTE}/${id}`).expect(200);
    const sql = 'SELECT configured_parent FROM api_tokens WHERE id = ?';
    expect(await service.app.get(Reads).select(sql, [id])).toEqual([{ configured_parent: hashOf(CI) }]);
    expect(text).not.toContain(hashOf(CI));
  });

  it('are all that it rotates, unless it may do everything', async () => {
    const [others, older] = [await issue(), await unbound()];
    for (const { id } of [others, older]) {
      expectError(await service.http(CI).post(`${ROUTE}/${id}/rotate`), 'insufficient_scope');
    }
    expect([await statusIn(service, others), await statusIn(service, older)]).toEqual([200, 200]);
  });

  it('are also those that it has rotated', async () => {
    const older = await unbound();

    const successor = await rotated(older.id, OPS_ADMIN);

    await expectStatus([successor], 200, 401);
    await expectStatus([older], 200, 200);
  });

  it('hide no valid one from the account after their end', async () => {
    const ownerId = 777;
    await service.app.get(UnitOfWork).run(async (manager) => {
      const columns = 'name, token_hash, hint, scopes, kind, created_at, owner_id, configured_parent';
      for (const [name, parent] of [
        ['valid', null],
        ['ended', hashOf(CI)],
        ['ended, too', hashOf(CI)],
      ] as const) {
        const sql = `INSERT INTO api_tokens (${columns}) VALUES (?, ?, 'x', '', 'service', 1, ?, ?)`;
        await execute(manager, sql, [name, `of-account-${name}`, ownerId, parent]);
      }
    });
    const shown = async ({ app }: TestApp) =>
      (await app.get(ApiTokensService).living(ownerId, 2)).map(({ name }) => name);

    expect(await shown(service)).toEqual(['ended, too', 'ended']);
    expect(await shown(after)).toEqual(['valid']);
  });

  it('leave room for others after their end', async () => {
    await service.app.get(UnitOfWork).run(async (manager) => {
      const columns = 'name, token_hash, hint, scopes, kind, created_at, configured_parent';
      for (let n = 0; n < 1_000; n += 1) {
        await execute(manager, `INSERT INTO api_tokens (${columns}) VALUES ('x', ?, 'x', '', 'service', 1, ?)`, [
          `full-${n}`,
          hashOf(CI),
        ]);
      }
    });
    const make = (instance: TestApp) => instance.http().post(ROUTE).send({ name: 'one', scopes: SCOPES });

    expectError(await make(service), 'too_many_tokens');
    expect((await make(after)).status).toBe(201);
  });
});
