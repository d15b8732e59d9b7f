import { SignInJobs } from '../../../src/auth/accounts/sign-in-jobs.js';
import { Reads } from '../../../src/database/statements/reads.js';
import { passTime } from '../../support/clock.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const ROUTE = '/api/admin/tokens';
const DAY_SECONDS = 86_400;

interface Issued {
  readonly id: number;
  readonly token: string;
}

describe('An API token that has ended', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startTestApp();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  const issue = async (order: object = {}): Promise<Issued> => {
    const body = { name: 'ci', scopes: ['tokens:write'], expires_at: 'never', ...order };
    return (await service.http().post(ROUTE).send(body).expect(201)).body.data;
  };
  const revoke = ({ id }: Issued) => service.http().delete(`${ROUTE}/${id}`).expect(204);
  const ids = async (): Promise<number[]> => {
    const rows = await service.app.get(Reads).select<{ id: number | string }>('SELECT id FROM api_tokens ORDER BY id');
    return rows.map(({ id }) => Number(id));
  };
  /** Sweeps as it will be done after so long. */
  const sweepAfter = async (days: number): Promise<void> => {
    passTime(service, days * DAY_SECONDS);
    await service.app.get(SignInJobs).dropOld();
  };

  it('is kept for 90 days and dropped then; its events and the living ones stay', async () => {
    const [living, revoked] = [await issue(), await issue()];
    const expired = await issue({ expires_at: new Date(Date.now() + 10 * DAY_SECONDS * 1_000).toISOString() });
    await revoke(revoked);

    await sweepAfter(89);
    expect(await ids()).toEqual([living.id, revoked.id, expired.id]);
    await sweepAfter(91);
    expect(await ids()).toEqual([living.id, expired.id]);
    await sweepAfter(101);
    expect(await ids()).toEqual([living.id]);

    jest.restoreAllMocks();
    const { body } = await service.http().get('/api/admin/audit?event=token.revoked').expect(200);
    expect(body.data).toMatchObject([{ details: { token_id: revoked.id } }]);
    await service.http(living.token).get(ROUTE).expect(200);
  });

  it('leaves its successor alone', async () => {
    const first = await issue();
    const { body } = await service.http().post(`${ROUTE}/${first.id}/rotate`).expect(200);

    await sweepAfter(92);

    expect(await ids()).toEqual([body.data.id]);
    await service.http(body.data.token).get(ROUTE).expect(200);
  });
});
