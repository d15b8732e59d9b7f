import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** More than one statement goes through. */
const OTHERS = 12_000;
const PER_STATEMENT = 1_000;
const RARE = [1, 4_999, 5_000, 5_001, 9_000, 12_300];

/** An export reads some thousand records of all types at a time: what is between those of its own must lose none of them. */
describe('Records of a type among thousands of another one', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    await service.http().post('/api/admin/types').send({ name: 'rare', fields: [] }).expect(201);
    const units = service.app.get(UnitOfWork, { strict: false });
    const others = Array.from({ length: OTHERS }, (_, n) => n + 1).filter((id) => !RARE.includes(id));
    for (let start = 0; start < others.length; start += PER_STATEMENT) {
      const rows = others.slice(start, start + PER_STATEMENT).map((id) => row(id, 'post'));
      await units.run((manager) => insert(manager, rows));
    }
    await units.run(async (manager) => {
      await insert(
        manager,
        RARE.map((id) => row(id, 'rare')),
      );
      const contents = RARE.map((id) => `(${id}, 'B', '{}')`);
      await execute(manager, `INSERT INTO record_contents (record_id, body, data) VALUES ${contents.join(', ')}`);
    });
  });
  afterAll(() => service.close());

  type Manager = Parameters<typeof execute>[0];
  const row = (id: number, type: string): string =>
    `(${id}, (SELECT id FROM content_types WHERE name = '${type}'), 'en', 'r-${id}', 'R', 'r', 'published', 1, 1, 1, ${id}, ${id}, ${id}, 0)`;
  const insert = (manager: Manager, rows: readonly string[]) =>
    execute(
      manager,
      `INSERT INTO records (id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by,
                            created_at, updated_at, published_at, trashed_at) VALUES ${rows.join(', ')}`,
    );

  it('are all exported, in the order of their ids', async () => {
    const { text } = await service.http().get('/api/cms/rare/-/export').buffer(true).expect(200);

    const lines = text.trimEnd().split('\n');
    const ids = lines.slice(2).map((line) => (JSON.parse(line) as { data: { id: number } }).data.id);
    expect(ids).toEqual(RARE);
  });
});
