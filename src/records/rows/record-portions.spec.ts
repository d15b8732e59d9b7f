import type { EntityManager } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { dialectFor } from '../../database/dialect-for.js';
import { migrate } from '../../database/schema/migrate.js';
import { Writer } from '../../database/statements/writer.js';
import { TERMS_KEY } from './field-rows.js';
import { lockRecords, recordsHolding } from './record-portions.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
const [RECORDS, TERMS] = [60, 300];
const HELD_BY_ALL = 1;

describe('Records that hold a term, each of them hundreds more', () => {
  let database: TestDatabase;
  let writer: Writer;

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = await Writer.open(dialectFor(database.address));
    await migrate(writer);
    const { source } = writer;
    const records = Array.from(
      { length: RECORDS },
      (_, n) => `(${n + 1}, 1, 'en', 'R', 'r', 'draft', 1, 1, 1, 5, 5, 0)`,
    );
    await source.query(
      `INSERT INTO records (id, type_id, locale, title, title_key, status, version, created_by, updated_by, created_at, updated_at, trashed_at) VALUES ${records.join(', ')}`,
    );
    for (let record = 1; record <= RECORDS; record += 1) {
      // Every second record lacks the term.
      const held = Array.from({ length: TERMS }, (_, n) => n + HELD_BY_ALL + (record % 2));
      const rows = held.map((term, pos) => `(${record}, ${TERMS_KEY}, ${pos}, ${term}, 5)`);
      await source.query(
        `INSERT INTO record_fields (record_id, field_id, pos, num, sort_at) VALUES ${rows.join(', ')}`,
      );
    }
    // A server does it by itself for a table that has grown, some seconds later.
    if (isServer) await source.query('ANALYZE TABLE records, record_fields');
  });

  afterAll(async () => {
    await writer.onApplicationShutdown();
    await database.drop();
  });

  const locked = (manager: EntityManager) =>
    lockRecords(manager, writer.dialect, recordsHolding(HELD_BY_ALL), { after: 10, upTo: 20 }, 3);

  it('are the first ones of a span', async () => {
    const found = await writer.source.transaction(locked);
    expect(found).toEqual([12, 14, 16].map((id) => ({ id, typeId: 1 })));
  });

  it('are asked for it by the index of numbers, not by going through their terms', async () => {
    await writer.source.transaction(async (manager) => {
      if (isServer) {
        const before = await readRows(manager);
        await locked(manager);
        expect((await readRows(manager)) - before).toBeLessThan(TERMS / 3);
        return;
      }
      const asked = jest.spyOn(manager, 'query');
      await locked(manager);
      const [sql, values] = asked.mock.calls[0] ?? [];
      asked.mockRestore();
      const plan = await manager.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, values as unknown[]);
      expect(plan.map(({ detail }) => detail)).toContainEqual(
        expect.stringContaining('i_record_fields_num (field_id=? AND num=? AND sort_at=? AND record_id=?)'),
      );
    });
  });
});

/** How many rows the session of a server has gone through. */
async function readRows(manager: EntityManager): Promise<number> {
  const counters = await manager.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read%'");
  return counters.reduce((sum, { Value: count }) => sum + Number(count), 0);
}
