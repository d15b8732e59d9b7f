import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { execute } from '../../src/database/statements/statement.js';
import { DatabaseProbe } from '../../src/health/database-probe.js';
import { Reads } from '../../src/database/statements/reads.js';
import { putClockAhead, stopMonotonicClock } from '../support/clock.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Health', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => service.close());

  const get = (probe: string) => service.anonymous().get(`/health/${probe}`);
  const probe = () => service.app.get(DatabaseProbe).probe();
  const rename = (from: string, to: string) =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, `ALTER TABLE ${from} RENAME TO ${to}`));

  it.each(['live', 'ready'])('GET /health/%s answers 200 without a credential', async (path) => {
    const answer = await get(path);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'ok' });
  });

  it('is not ready while the database answers and lets no table be read, as a node without its cluster', async () => {
    await rename('migrations', 'migrations_of_before');
    await probe();
    const without = await get('ready');
    const live = await get('live');
    await rename('migrations_of_before', 'migrations');
    await probe();
    const again = await get('ready');

    expect([without.status, without.body.error]).toEqual([503, 'not_ready']);
    expect([live.status, again.status]).toEqual([200, 200]);
  });

  it('asks the database nothing when it is asked itself', async () => {
    stopMonotonicClock();
    let giveUp: (reason: Error) => void = () => undefined;
    const hanging = new Promise<never>((_, reject) => (giveUp = reject));
    hanging.catch(() => undefined);
    jest.spyOn(service.app.get(Reads), 'select').mockReturnValue(hanging);

    const answer = await get('ready');
    giveUp(new Error('The database hangs.'));

    expect(answer.status).toBe(200);
  });

  it.each([
    [58, 200],
    [62, 503],
  ])('with a clock %s seconds ahead of that of the database answers %s', async (seconds, status) => {
    putClockAhead(service, seconds);
    await probe();

    expect((await get('ready')).status).toBe(status);
    jest.restoreAllMocks();
    await probe();
  });
});
