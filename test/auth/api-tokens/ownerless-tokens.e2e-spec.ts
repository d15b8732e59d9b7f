import { randomUUID } from 'node:crypto';
import { Reads } from '../../../src/database/statements/reads.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { expectError } from '../../support/errors.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { twinOf } from '../../support/twin.js';

const ROUTE = '/api/admin/tokens';
const MOST = 1_000;
const LIVING = 'owner_id IS NULL AND revoked_at IS NULL AND replaced_by IS NULL';

describe('API tokens without an owner', () => {
  let service: TestApp;
  let twin: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    twin = await twinOf(service);
  });

  afterAll(async () => {
    await twin.close();
    await service.close();
  });

  const order = (scopes: readonly string[] = ['records:read']) => ({ name: 'one of many', scopes });
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
    const makers = await Promise.all(
      [0, 1].map(() =>
        service
          .http()
          .post(ROUTE)
          .send(order(['tokens:write', 'records:read']))
          .expect(201),
      ),
    );
    const tokens = [undefined, ...makers.map(({ body }) => body.data.token as string)];
    await leave(5);

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        (n % 2 === 0 ? service : twin)
          .http(tokens[n % 3])
          .post(ROUTE)
          .send(order()),
      ),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 'too_many_tokens');
    expect(await living()).toBe(MOST);
    const { id } = makers[0]?.body.data as { readonly id: number };
    await service.http().post(`${ROUTE}/${id}/rotate`).expect(200);
    expectError(await service.http().post(ROUTE).send(order()), 'too_many_tokens');
  });
});
