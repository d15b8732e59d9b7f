import { setTimeout as sleep } from 'node:timers/promises';
import { Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { RedisServer } from '../support/redis-server.js';
import type { TestDatabase } from '../support/test-database.js';

const LIMIT = 10;
const INSTANCES = 3;
/** Each has a budget of its own. */
const CALLERS = ['killed', 'frozen', ...Array.from({ length: 40 }, (_, round) => `round-${round}`)];
const secretOf = (caller: string) => `${caller}-token-0123456789-0123456789`;

const CONNECTED = 'Redis is connected';
const LOST = 'Redis does not answer: each instance counts requests for itself';
const BACK = 'Redis answers again: requests are counted for all instances together';

describe('Limits that instances share', () => {
  let redis: RedisServer;
  let database: TestDatabase;
  let children: Child[];
  let addresses: string[];
  let rounds = 0;

  beforeAll(async () => {
    [redis, database] = await Promise.all([RedisServer.start(), createMigratedDatabase()]);
    const environment = {
      ...production(database),
      REDIS_URL: redis.url,
      METRICS_PORT: '0',
      // What asks whether Redis is back draws from that of bad tokens.
      RATE_LIMITS: `users=${LIMIT},bad_tokens=10000`,
      API_TOKENS: CALLERS.map((caller) => `${caller}=${secretOf(caller)}`).join(','),
    };
    children = Array.from({ length: INSTANCES }, () => new Child('main.js', [], environment));
    addresses = await Promise.all(children.map((child) => child.address()));
    for (const child of children) await said(child, CONNECTED, 1);
  });

  afterAll(async () => {
    await Promise.all(children.map((child) => child.kill('SIGKILL')));
    redis.resume();
    await redis.kill();
    await database.drop();
  });

  const times = (child: Child, line: string) => child.log.filter(({ msg }) => msg === line).length;

  /** @param poke asked for again and again: a rest of Redis ends with a request */
  async function said(child: Child, line: string, count: number, poke?: () => Promise<unknown>): Promise<void> {
    while (times(child, line) < count) {
      await poke?.();
      await sleep(50);
    }
  }

  async function ask(address: string, token: string, path = '/api/users'): Promise<number> {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}${path}`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Statuses of so many requests to each instance, all at once. */
  function askEach(caller: string, count: number): Promise<number[][]> {
    return Promise.all(
      addresses.map((address) => Promise.all(Array.from({ length: count }, () => ask(address, secretOf(caller))))),
    );
  }

  const sorted = (statuses: readonly number[]) => [...statuses].sort((one, other) => one - other);
  const outcome = (passed: number, refused: number) => [
    ...Array<number>(passed).fill(200),
    ...Array<number>(refused).fill(429),
  ];

  async function askOthersUntilAllSay(line: string, before: readonly number[]): Promise<void> {
    await Promise.all(
      children.map((child, at) =>
        said(child, line, (before[at] ?? 0) + 1, async () => {
          expect(await ask(addresses[at] ?? '', 'no-such-token', '/api/cms/post')).toBe(401);
        }),
      ),
    );
  }

  /** How many requests the instances have counted alone, since Redis did not answer in time. */
  async function unanswered(): Promise<number> {
    const counts = children.map(async ({ log }) => {
      const port = String(log.find((line) => 'metrics_port' in line)?.metrics_port);
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^cms_redis_unanswered_total (\d+)/m.exec(text)?.[1] ?? 0);
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** On a busy machine Redis may miss its fifty milliseconds: nothing but such requests may come on top. */
  async function requireShared(): Promise<void> {
    for (;;) {
      const before = await unanswered();
      const statuses = (await askEach(`round-${rounds}`, LIMIT)).flat();
      rounds += 1;
      const missed = (await unanswered()) - before;
      const passed = statuses.filter((status) => status === 200).length;
      expect(sorted(statuses)).toEqual(outcome(passed, INSTANCES * LIMIT - passed));
      expect([passed >= LIMIT, passed <= LIMIT + missed]).toEqual([true, true]);
      if (missed === 0) return;
    }
  }

  it('let no more through all of them than through one', async () => {
    await requireShared();
  });

  it('are those of each instance while Redis is dead, and no request fails', async () => {
    const before = children.map((child) => times(child, BACK));
    await redis.kill();

    for (const statuses of await askEach('killed', LIMIT + 2)) expect(sorted(statuses)).toEqual(outcome(LIMIT, 2));

    for (const child of children) await said(child, LOST, 1);
    await redis.start();
    await askOthersUntilAllSay(BACK, before);
  });

  it('are those of each instance while Redis stands still, and are shared again when it goes on', async () => {
    const before = children.map((child) => times(child, BACK));
    redis.pause();

    for (const statuses of await askEach('frozen', LIMIT + 2)) expect(sorted(statuses)).toEqual(outcome(LIMIT, 2));

    for (const child of children) await said(child, LOST, 2);
    redis.resume();
    await askOthersUntilAllSay(BACK, before);
    await requireShared();
  });
});
