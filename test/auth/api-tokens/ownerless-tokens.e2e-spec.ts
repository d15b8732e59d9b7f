import { randomUUID } from 'node:crypto';
import { Reads } from '../../../src/database/statements/reads.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { expectError } from '../../support/errors.js';
import { API_TOKENS, startTestApp, type TestApp } from '../../support/test-app.js';
import { twinOf } from '../../support/twin.js';

const ROUTE = '/api/admin/tokens';
const MOST = 1_000;
const OPS = 'test-ops-token-0123456789ab';
const LIVING = 'owner_id IS NULL AND revoked_at IS NULL AND replaced_by IS NULL';

describe('API tokens without an owner', () => {
  let service: TestApp;
  let twin: TestApp;

  beforeAll(async () => {
    const tokens = { API_TOKENS: `${API_TOKENS},ops=${OPS};tokens:write records:read` };
    service = await startTestApp({ RATE_LIMITS: 'off', ...tokens });
    twin = await twinOf(service, tokens);
  });

  afterAll(async () => {
    await twin.close();
    await service.close();
  });

  const order = () => ({ name: 'one of many', scopes: ['records:read'] });
  const living = async (): Promise<number> => {
    const rows = await service.app.get(Reads).select(`SELECT id FROM api_tokens WHERE ${LIVING}`);
    return rows.length;
  };

  /** Adds living tokens until so many are left. */
  async function leave(room: number): Promise<void> {
    const missing = MOST - room - (await living());
    const columns = 'name, token_hash, hint, scopes, kind, created_at';
    await service.app.get(UnitOfWork).run(async (manager) => {
      for (let n = 0; n < missing; n += 1) {
        await execute(manager, `INSERT INTO api_tokens (${columns}) VALUES ('x', ?, 'x', '', 'service', 1)`, [
          randomUUID(),
        ]);
      }
    });
  }

  it('are 1,000 at most, whatever makes them and however many are asked for together', async () => {
    const { body } = await service.http().post(ROUTE).send(order()).expect(201);
    await leave(5);

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        (n % 2 === 0 ? service : twin)
          .http(n % 3 === 0 ? OPS : undefined)
          .post(ROUTE)
          .send(order()),
      ),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 'too_many_tokens');
    expect(await living()).toBe(MOST);
    await service.http().post(`${ROUTE}/${body.data.id}/rotate`).expect(200);
    expectError(await service.http().post(ROUTE).send(order()), 'too_many_tokens');
  });
});
