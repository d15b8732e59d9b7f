import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { deleteOld } from './old-rows.js';
import { execute, select } from '../statements/statement.js';

describe('deleteOld', () => {
  let open: OpenDatabase;

  beforeAll(async () => (open = await openTestDatabase()));
  beforeEach(() => add(1_203));
  afterAll(() => open.close());

  /** Things 1, 2, 3 …, each as old as its number. */
  const add = (count: number) =>
    open.units.run(async (manager) => {
      await execute(manager, 'DELETE FROM things');
      const rows = Array.from({ length: count }, (_, index) => `(${index + 1}, ${index + 1})`);
      await execute(manager, `INSERT INTO things (id, n) VALUES ${rows.join(', ')}`);
    });
  const left = () => open.units.run((manager) => select<{ id: number }>(manager, 'SELECT id FROM things ORDER BY id'));
  const old = { table: 'things', condition: 'n < ?', before: 1_202 };

  it('deletes all that is old, however much that is, and nothing else', async () => {
    await deleteOld(open.units, old);

    expect(await left()).toEqual([{ id: 1_202 }, { id: 1_203 }]);
  });

  it('ends between two of its steps when it has to', async () => {
    const answers = [false, true];
    const signal = {
      get aborted() {
        return answers.shift() ?? true;
      },
    } as AbortSignal;

    await deleteOld(open.units, old, signal);

    expect(await left()).toHaveLength(703);
  });
});
