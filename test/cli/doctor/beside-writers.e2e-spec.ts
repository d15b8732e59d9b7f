import type { SqlValue } from '../../../src/database/statements/statement.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const WRITERS = 5;
const BEFORE = 40;

/** Writes as clients do, until it is stopped: makes records, changes them, files them, trashes some. */
class Writers {
  written = 0;
  private isStopped = false;
  private readonly all: Promise<void>[] = [];

  constructor(private readonly service: TestApp) {}

  start(): void {
    for (let n = 0; n < WRITERS; n++) this.all.push(this.write(n));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.all);
  }

  private async write(writer: number): Promise<void> {
    for (let n = 0; !this.isStopped; n++) {
      const title = `Writer ${writer} ${n}`;
      const sent = { title, body: 'Words', price: n, status: 'draft', terms: { tag: [`t${n % 4}`] } };
      const { body } = await this.service.http().post('/api/cms/post').send(sent).expect(201);
      const { id } = (body as { data: { id: number } }).data;
      const changed = { title, price: -n, status: 'published', terms: { tag: [`t${(n + 1) % 4}`] } };
      await this.service.http().patch(`/api/cms/post/${id}`).set('If-Match', '"1"').send(changed).expect(200);
      if (n % 3 === 0) await this.service.http().delete(`/api/cms/post/${id}`).expect(204);
      this.written += 1;
    }
  }
}

describe('doctor beside writers', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;
  let writers: Writers;

  beforeEach(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url });
    const fields = [{ name: 'price', type: 'integer', indexed: true }];
    await service.http().put('/api/admin/types/post').send({ fields }).expect(200);
    writers = new Writers(service);
    writers.start();
    while (writers.written < BEFORE) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  afterEach(() => service.close());

  const write = (sql: string, values: readonly SqlValue[] = []) =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));
  const doneIn = (out: string): string[] => out.split('\n').filter((line) => /^(done|fail)/.test(line));

  it('finds nothing wrong while everything is right', async () => {
    const found: string[] = [];
    for (let n = 0; n < 6; n++) found.push(...doneIn((await run(n % 2 === 0 ? 'doctor' : 'doctor --deep')).out));
    await writers.stop();

    expect(found).toEqual([]);
  });

  it('puts numbers and rows right exactly, with a second one at the same time', async () => {
    const { body } = await service.http().get('/api/cms/post?per_page=5&status=published').expect(200);
    const ids = (body.data as { id: number }[]).map(({ id }) => id);
    await write("INSERT INTO record_counts (type_id, status, n) VALUES (1, 'archived', 7)");
    await write('UPDATE term_counts SET n = n + 11');
    await write(`DELETE FROM record_fields WHERE record_id IN (${ids.join(', ')})`);

    const [first, second] = await Promise.all([run('doctor --repair'), run('doctor --repair')]);
    const during = await run('doctor');
    await writers.stop();
    const after = await run('doctor --deep');
    const again = await run('doctor --repair --deep');

    expect(doneIn(first.out).length + doneIn(second.out).length).toBeGreaterThan(0);
    expect(doneIn(first.out + second.out).filter((line) => line.startsWith('fail'))).toEqual([]);
    expect(doneIn(during.out)).toEqual([]);
    expect([after.code, doneIn(after.out)]).toEqual([0, []]);
    expect([again.code, doneIn(again.out)]).toEqual([0, []]);
    const { meta } = (await service.http().get('/api/cms/post?per_page=1').expect(200)).body as {
      meta: { total: number };
    };
    const [row] = await service.app
      .get(UnitOfWork)
      .run((manager) =>
        manager.query<[{ n: number | string }]>(
          'SELECT COUNT(*) AS n FROM records WHERE type_id = 1 AND trashed_at = 0',
        ),
      );
    expect(meta.total).toBe(Number(row.n));
  });
});
