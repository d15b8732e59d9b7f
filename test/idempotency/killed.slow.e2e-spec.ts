import { join } from 'node:path';
import { Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

const KILL_AT = join(__dirname, '../support/kill-at.mjs');

const KEY = 'INTO idempotency_keys';
const RECORD = 'INTO record_contents';
const REF = 'SET ref = ?';
const COMMIT = 'COMMIT';
/** Behind the commit of the unit only its answer concerns the row of the key. */
const ANSWER = 'idempotency_keys';

/** Where the process ends, and whether the record is there by then. */
interface Death {
  readonly at: readonly string[];
  readonly when: 'asked' | 'answered';
  readonly isMade: boolean;
}

/** Each place between two steps of a create with a key. */
const DEATHS: Readonly<Record<string, Death>> = {
  'before its key is taken': { at: [KEY], when: 'asked', isMade: false },
  'when its key is taken': { at: [KEY], when: 'answered', isMade: false },
  'before the record is written': { at: [KEY, RECORD], when: 'asked', isMade: false },
  'before the commit': { at: [KEY, REF, COMMIT], when: 'asked', isMade: false },
  'behind the commit': { at: [KEY, REF, COMMIT], when: 'answered', isMade: true },
  'before its answer is kept': { at: [KEY, REF, COMMIT, ANSWER], when: 'asked', isMade: true },
  'before the answer is committed': { at: [KEY, REF, COMMIT, ANSWER, COMMIT], when: 'asked', isMade: true },
  'when its answer is kept': { at: [KEY, REF, COMMIT, ANSWER, COMMIT], when: 'answered', isMade: true },
};

const children: Child[] = [];

function started(database: TestDatabase, death?: Death): Child {
  const doom = death && {
    NODE_OPTIONS: `--import=${KILL_AT}`,
    KILL_AT: JSON.stringify({ at: death.at, when: death.when }),
  };
  const child = new Child('main.js', [], { ...production(database), RATE_LIMITS: 'off', ...doom });
  children.push(child);
  return child;
}

interface Answer {
  readonly status: number;
  readonly id: unknown;
  readonly isReplayed: boolean;
}

async function create(address: string, title: string): Promise<Answer> {
  const answer = await fetch(`${address}/api/cms/post`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${SECRETS.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': title.replaceAll(' ', '-'),
    },
    body: JSON.stringify({ title }),
  });
  const { data } = (await answer.json()) as { data: { id: number } };
  return { status: answer.status, id: data.id, isReplayed: answer.headers.has('idempotent-replayed') };
}

async function titled(address: string, title: string): Promise<number> {
  const answer = await fetch(`${address}/api/cms/post?filter[title]=${encodeURIComponent(title)}`, {
    headers: { Authorization: `Bearer ${SECRETS.token}` },
  });
  return ((await answer.json()) as { meta: { total: number } }).meta.total;
}

describe('A request with an Idempotency-Key', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill('SIGKILL');
  });
  afterAll(() => database.drop());

  it.each(Object.entries(DEATHS))(
    'is carried out once where its process is killed %s and it is sent again',
    async (title, death) => {
      const doomed = started(database, death);
      await expect(create(await doomed.address(), title)).rejects.toThrow('fetch failed');
      expect(await doomed.ended).toMatchObject({ signal: 'SIGKILL' });
      const address = await started(database).address();

      const again = await create(address, title);
      const onceMore = await create(address, title);

      expect([again.status, again.isReplayed]).toEqual([201, death.isMade]);
      expect(onceMore).toEqual({ status: 201, id: again.id, isReplayed: true });
      expect(await titled(address, title)).toBe(1);
    },
  );

  it('is carried out once of fifty at three processes, of which one is killed in the middle', async () => {
    const doomed = started(database, { at: [KEY], when: 'answered', isMade: false });
    const services = [doomed, started(database), started(database)];
    const addresses = await Promise.all(services.map((service) => service.address()));
    const sent = Array.from({ length: 51 }, (_, n) => create(addresses[n % addresses.length] ?? '', 'Twin'));

    const answers = (await Promise.allSettled(sent)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));

    expect(answers.length).toBeGreaterThanOrEqual(34);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
  });
});
