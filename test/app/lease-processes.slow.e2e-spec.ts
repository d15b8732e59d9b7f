import mysql from 'mysql2/promise';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminHealthView } from '../../src/health/admin-health.js';
import { call, Child, production } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
const HOUR_MS = 3_600_000;
const CLOCKS_MS = [0, HOUR_MS, -HOUR_MS, 0];
const RECORDS = 5;

/** Has the clock of a process be another one than that of the machine. */
function withClock(ms: number): string {
  return `--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+(${ms})`;
}

/** One process of four. */
interface Instance {
  readonly child: Child;
  readonly address: string;
  readonly id: string;
}

function firstOf(instances: readonly Instance[]): Instance {
  const [first] = instances;
  if (!first) throw new Error('There is no process.');
  return first;
}

type LeaseView = AdminHealthView['leases'][number];

/** Each change of hands takes fifteen seconds or more after a process that said nothing. */
describe('Leases of four processes, two with a clock that is an hour ahead or behind', () => {
  let database: TestDatabase;
  let living: Instance[];
  let records = 0;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    living = await Promise.all(
      CLOCKS_MS.map(async (ms) => {
        const child = new Child('main.js', [], { ...production(database), NODE_OPTIONS: withClock(ms) });
        const address = await child.address();
        return { child, address, id: (await healthOf(address)).instance };
      }),
    );
  });

  afterAll(async () => {
    await Promise.all(living.map(({ child }) => child.kill('SIGKILL')));
    await database.drop();
  });

  async function healthOf(address: string): Promise<AdminHealthView> {
    const answer = await call(address, 'GET', '/api/admin/health');
    return ((await answer.json()) as { data: AdminHealthView }).data;
  }

  async function leasesSeenBy({ address }: Instance): Promise<readonly LeaseView[]> {
    return (await healthOf(address)).leases;
  }

  /** The lease for counting as one of them sees it, once it is held by another instance than these. */
  async function heldBy(seer: Instance, others: readonly Instance[]): Promise<{ holder: Instance; epoch: number }> {
    for (;;) {
      const lease = (await leasesSeenBy(seer)).find(({ name }) => name === 'counts');
      const holder = others.find(({ id }) => id === lease?.instance);
      if (lease && holder) return { holder, epoch: lease.epoch };
      await sleep(200);
    }
  }

  async function write(): Promise<void> {
    await Promise.all(
      living.flatMap(({ address }) =>
        Array.from({ length: RECORDS }, async () => {
          const { status } = await call(address, 'POST', '/api/cms/post', { title: 'Counted' });
          expect(status).toBe(201);
          records += 1;
        }),
      ),
    );
  }

  async function requireCounted(): Promise<void> {
    for (const { address } of living) {
      const answer = await call(address, 'GET', '/api/cms/post?status=draft&per_page=1');
      expect(((await answer.json()) as { meta: { total: number } }).meta.total).toBe(records);
    }
  }

  const without = (one: Instance) => living.filter((other) => other !== one);

  /** Stops a process where it holds no lock, which a server would keep for it as long as it stands still. */
  async function standStill({ child }: Instance): Promise<void> {
    const connection = await mysql.createConnection(database.url);
    const isFree = () =>
      connection.query('SELECT name FROM leases FOR UPDATE NOWAIT').then(
        () => true,
        () => false,
      );
    for (;;) {
      child.pause();
      await sleep(200);
      if (await isFree()) break;
      child.resume();
      await sleep(200);
    }
    await connection.end();
  }

  it('are all taken, and go on with another process when the holder dies', async () => {
    const seer = firstOf(living);
    while ((await leasesSeenBy(seer)).some(({ instance }) => instance === null)) await sleep(200);
    const { holder, epoch } = await heldBy(seer, living);
    await write();

    await holder.child.kill('SIGKILL');
    living = without(holder);
    await write();

    expect((await heldBy(firstOf(living), living)).epoch).toBeGreaterThan(epoch);
    await requireCounted();
  });

  it('go on with another process when the holder stops', async () => {
    const seer = firstOf(living);
    const { holder, epoch } = await heldBy(seer, living);

    expect(await holder.child.kill('SIGTERM')).toMatchObject({ code: 0 });
    living = without(holder);
    await write();

    expect((await heldBy(firstOf(living), living)).epoch).toBeGreaterThan(epoch);
    await requireCounted();
  });

  if (isServer) {
    it('go on with another process when the holder stands still, and it has to take them anew when it goes on', async () => {
      const { holder, epoch } = await heldBy(firstOf(living), living);
      await standStill(holder);
      const other = firstOf(without(holder));
      const taken = await heldBy(other, [other]);

      holder.child.resume();
      await write();
      const later = await heldBy(holder, living);

      expect(later.epoch).toBeGreaterThanOrEqual(taken.epoch);
      expect(taken.epoch).toBeGreaterThan(epoch);
      await requireCounted();
    });
  }
});
