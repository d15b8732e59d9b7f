import type { EntityManager } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { Clock } from '../../common/clock.js';
import { dialectFor } from '../../database/dialect-for.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { migrate } from '../../database/schema/migrate.js';
import { Writer } from '../../database/statements/writer.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { Accounts } from './accounts.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
const [VIEWER, ADMIN, OTHER, DISABLED, GONE] = [1, 1_000, 1_999, 1_500, 5_000];

describe('The locks of users, of whom there are two thousand', () => {
  let database: TestDatabase;
  let writer: Writer;
  let accounts: Accounts;
  const held: Condition[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = await Writer.open(dialectFor(database.address));
    await migrate(writer);
    accounts = new Accounts(writer.dialect, new Clock());
    const hold = writer.dialect.hold.bind(writer.dialect);
    writer.dialect.hold = (manager, table, which) => {
      held.push(which);
      return hold(manager, table, which);
    };
    const rows = Array.from({ length: 2_000 }, (_, index) => row(index + 1)).join(', ');
    const columns = 'id, email, email_key, name, role, disabled_at, created_at, updated_at';
    await writer.source.query(`INSERT INTO users (${columns}) VALUES ${rows}`);
  });

  beforeEach(() => {
    held.length = 0;
  });

  afterAll(async () => {
    await writer.onApplicationShutdown();
    await database.drop();
  });

  function row(id: number): string {
    const role = [ADMIN, OTHER, DISABLED].includes(id) ? 'admin' : 'viewer';
    return `(${id}, 'u${id}@x.example', 'u${id}@x.example', 'U', '${role}', ${id === DISABLED ? 1 : 'NULL'}, 1, 1)`;
  }

  /** How many rows a server goes through, or a file in whole tables, for what is done. */
  async function rowsOf(manager: EntityManager, work: () => Promise<unknown>): Promise<number> {
    const before = await readRows(manager);
    const asked = jest.spyOn(manager, 'query');
    await work();
    const after = await readRows(manager);
    const statements = asked.mock.calls.filter(([sql]) => sql.startsWith('SELECT'));
    asked.mockRestore();
    if (isServer) return after - before;
    const plans = statements.map(([sql, values]) =>
      manager.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, values as unknown[]),
    );
    const scans = (await Promise.all(plans)).flat().filter(({ detail }) => detail.startsWith('SCAN'));
    return scans.length * 2_000;
  }

  async function readRows(manager: EntityManager): Promise<number> {
    if (!isServer) return 0;
    const counters = await manager.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read%'");
    return counters.reduce((sum, { Value: count }) => sum + Number(count), 0);
  }

  it.each([
    ['an enabled admin with all others', ADMIN, [ADMIN, VIEWER, OTHER]],
    ['any other user without them', VIEWER, [VIEWER]],
    ['an admin who is disabled without them', DISABLED, [DISABLED, VIEWER]],
    ['one who is gone', GONE, [GONE, VIEWER]],
  ])('are of %s, and found by indexes', async (_, id, users) => {
    const rows = await new UnitOfWork(writer).run((manager) =>
      rowsOf(manager, () => accounts.lockAnyWithAdmins(manager, { id, beside: VIEWER })),
    );

    expect(held.map(({ values }) => values)).toEqual([users]);
    expect(rows).toBeLessThan(50);
  });

  it('are of all admins where the user becomes one between the look and the lock', async () => {
    const units = new UnitOfWork(writer);
    const become = (manager: EntityManager, role: string) =>
      manager.query(`UPDATE users SET role = '${role}' WHERE id = ${VIEWER}`);
    const hold = writer.dialect.hold.bind(writer.dialect);
    writer.dialect.hold = async (manager, table, which) => {
      if (held.length === 0) await become(manager, 'admin');
      return hold(manager, table, which);
    };

    await units.run((manager) => accounts.lockWithAdmins(manager, { id: VIEWER, beside: null }));
    writer.dialect.hold = hold;
    await units.run((manager) => become(manager, 'viewer'));

    expect(held.map(({ values }) => values)).toEqual([[VIEWER], [ADMIN, OTHER]]);
  });
});
