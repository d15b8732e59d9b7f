import { setTimeout as sleep } from 'node:timers/promises';
import { RedisWindows } from '../../src/common/rate-limits/redis-storage.js';
import type { LimitWindow } from '../../src/common/rate-limits/limit-storage.js';
import { RedisServer } from '../support/redis-server.js';

const MINUTE = 60_000;

describe('Windows in Redis', () => {
  let server: RedisServer;
  let windows: RedisWindows;

  beforeAll(async () => {
    server = await RedisServer.start();
    windows = await new Promise((resolve) => {
      const opened = RedisWindows.open(server.url, () => {
        resolve(opened);
      });
    });
  });

  afterAll(async () => {
    windows.close();
    await server.kill();
  });

  const key = (name: string, limit: number, within = MINUTE): LimitWindow => ({
    window: 'test',
    key: name,
    limit,
    within,
  });

  /** Redis has fifty milliseconds for an answer, which a busy machine may take. */
  async function asked<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await question();
      } catch {
        await sleep(20);
      }
    }
  }

  const isBlocked = async (keys: readonly LimitWindow[]) =>
    (await asked(() => windows.look(keys))).map((count) => count.isBlocked);

  it('let as many through as are allowed', async () => {
    const ann = key('ann', 2);
    expect(await isBlocked([ann])).toEqual([false]);

    while (!(await isBlocked([ann]))[0]) await asked(() => windows.draw([ann]));

    const [refused] = await asked(() => windows.draw([ann]));
    expect(refused).toMatchObject({ totalHits: 2, isBlocked: true });
    expect(refused?.timeToExpire).toBeGreaterThan(0);
    expect(refused?.timeToExpire).toBeLessThanOrEqual(60);
    expect(await isBlocked([key('bob', 2)])).toEqual([false]);
  });

  it('count a request in all of them or in none', async () => {
    const [wide, narrow] = [key('wide', 1_000), key('narrow', 1)];
    while (!(await isBlocked([narrow]))[0]) await asked(() => windows.draw([narrow]));
    await asked(() => windows.draw([wide]));
    const [before] = await asked(() => windows.look([wide]));

    const drawn = await asked(() => windows.draw([wide, narrow]));

    expect(drawn.map((count) => count.isBlocked)).toEqual([false, true]);
    expect((await asked(() => windows.look([wide])))[0]?.totalHits).toBe(before?.totalHits);
  });

  it('let a request go when its time is over', async () => {
    const short = key('short', 1, 1_000);
    while (!(await isBlocked([short]))[0]) await asked(() => windows.draw([short]));

    while ((await isBlocked([short]))[0]) await sleep(20);

    expect((await asked(() => windows.look([short])))[0]?.totalHits).toBe(0);
  });

  it('count nothing when they are only asked', async () => {
    const quiet = key('quiet', 5);

    for (let asks = 0; asks < 10; asks += 1) await asked(() => windows.look([quiet]));

    expect((await asked(() => windows.look([quiet])))[0]).toMatchObject({ totalHits: 0, isBlocked: false });
  });
});
