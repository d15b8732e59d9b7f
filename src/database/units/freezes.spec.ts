import type { EntityManager } from 'typeorm';
import { Gate } from '../../../test/support/gate.js';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { statementsOver } from '../../../test/support/statements.js';
import { execute, select } from '../statements/statement.js';
import { EarlierUnits } from './earlier-units.js';
import { Freezes } from './freezes.js';

const TICK_MS = 10_000;
/** All but intervals. */
const REAL = ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] as const;
const ROWS = { table: 'content_types', ids: Array.from({ length: 50 }, (_, n) => n + 1) } as const;

describe('Rows that are frozen', () => {
  let open: OpenDatabase;
  let freezes: Freezes;
  let sent: string[];

  beforeAll(async () => {
    open = await openTestDatabase();
    const { source, dialect } = open.writer;
    await source.query('CREATE TABLE content_types (id INTEGER PRIMARY KEY, frozen_until BIGINT NOT NULL)');
    sent = statementsOver(source);
    const ended = Object.assign(new EarlierUnits(), { ended: () => Promise.resolve() });
    const cluster = Object.create(dialect, { hasSeveralWriters: { value: true } }) as typeof dialect;
    freezes = new Freezes(open.units, cluster, ended);
  });

  beforeEach(async () => {
    await open.units.run(async (manager) => {
      await execute(manager, 'DELETE FROM content_types');
      for (const id of ROWS.ids) await execute(manager, 'INSERT INTO content_types VALUES (?, 0)', [id]);
    });
    jest.useFakeTimers({ doNotFake: [...REAL] });
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  afterAll(() => open.close());

  const ends = (): Promise<Set<number>> => open.units.run(endsIn);

  async function endsIn(manager: EntityManager): Promise<Set<number>> {
    const sql = 'SELECT frozen_until AS until FROM content_types';
    const rows = await select<{ until: number | string }>(manager, sql);
    return new Set(rows.map(({ until }) => Number(until)));
  }

  it('are thawed where renewals take longer than the time between two', async () => {
    const [work, answers] = [new Gate(), new Gate()];
    const done = freezes.around(ROWS, () => work.opened);
    while ((await ends()).has(0));
    const run = open.units.run.bind(open.units);
    const before = await ends();
    jest.spyOn(open.units, 'run').mockImplementation(async (...unit) => {
      const result = await run(...unit);
      await answers.opened;
      return result;
    });

    jest.advanceTimersByTime(TICK_MS);
    while ([...(await run(endsIn))].some((end) => before.has(end)));
    jest.advanceTimersByTime(TICK_MS);
    // Behind a second renewal, where one has begun.
    await run(endsIn);
    answers.open();
    work.open();
    await done;
    jest.restoreAllMocks();

    expect(await ends()).toEqual(new Set([0]));
  });

  it('are renewed and thawed together, however many they are, but for those that another change has frozen', async () => {
    const work = new Gate();
    const done = freezes.around(ROWS, () => work.opened);
    while ((await ends()).has(0));
    await open.units.run((manager) => execute(manager, 'UPDATE content_types SET frozen_until = 7 WHERE id = 3'));
    sent.length = 0;

    jest.advanceTimersByTime(TICK_MS);
    work.open();
    await done;

    expect(sent.filter((sql) => sql.includes('content_types')).length).toBeLessThan(10);
    expect(await ends()).toEqual(new Set([0, 7]));
  });
});
