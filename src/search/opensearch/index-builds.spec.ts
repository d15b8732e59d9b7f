import type { OpenSearch } from '../../../test/support/open-search.js';
import type { SeenRequest } from '../../../test/support/opensearch/opensearch-double.js';
import { documents, SearchProcesses } from '../../../test/support/search-processes.js';
import { DEFINITION, PROGRAM } from './definition.js';
import type { Generations } from './generations.js';
import { OpenSearchIndex } from './open-search-index.js';

const MOST_TURNS = 20;
/** More than are copied at a time. */
const DOCUMENTS = 700;

describe('An index of OpenSearch', () => {
  let all: SearchProcesses;
  let one: OpenSearch;

  beforeEach(async () => {
    all = await SearchProcesses.begin();
    one = await all.open();
  });

  afterEach(() => all.end());

  const generations = ({ index }: OpenSearch): Generations => {
    if (!(index instanceof OpenSearchIndex)) throw new Error('OpenSearch is not searched.');
    return index.generations;
  };
  const serving = (): string | undefined =>
    all.double.indexes.names.find((name) => all.double.indexes.required(name).aliases.has('cms'));
  const counted = (name: string): number => {
    all.double.refresh();
    return all.double.indexes.required(name).count({ query: { exists: { field: 'type_id' } } });
  };
  const forget = () => one.units.run((manager) => manager.query<unknown>('DELETE FROM search_changes'));

  /** Turns of new processes, each of which has as little in memory as one after a crash. */
  async function turnsUntil(isDone: () => boolean): Promise<number> {
    for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
      await all.feed({ feed: one.freshFeed() });
      if (isDone()) return turn;
    }
    throw new Error('It has not come to an end.');
  }

  it('is made of all documents, with the ones that are written meanwhile', async () => {
    await one.put(...documents(1, DOCUMENTS, 'first'));
    const meanwhile: Promise<void>[] = [];
    all.double.behave = ({ group, text }) => {
      // While the second half is copied.
      if (group === 'bulk' && text.includes(`"${DOCUMENTS}"`)) meanwhile.push(one.put(...documents(1, 3, 'changed')));
      return 'well';
    };
    await one.settle();
    all.double.behave = () => 'well';
    await Promise.all(meanwhile);
    await one.settle();

    expect(serving()).toBe('cms-1');
    expect(counted('cms-1')).toBe(DOCUMENTS);
    expect((await one.find('first')).total).toBe(DOCUMENTS - 3);
  });

  it('takes the place of the former one when it is ordered, and the former one is removed', async () => {
    await one.put(...documents(1, 3, 'first'));
    await one.settle();
    await generations(one).create();

    await turnsUntil(() => serving() === 'cms-2');
    await turnsUntil(() => all.double.indexes.names.length === 1);

    expect([all.double.indexes.names, counted('cms-2')]).toEqual([['cms-2'], 3]);
    expect(await all.found(one, 'first')).toEqual([3, 2, 1]);
  });

  it('is fed while a build beside it was not whole, which is removed', async () => {
    await one.put(...documents(1, 3, 'first'));
    await one.settle();
    await generations(one).create();
    let counts = 0;
    all.double.behave = ({ group, path }) => {
      if (group !== 'count' || !path.includes('cms-2')) return 'well';
      counts += 1;
      const build = all.double.indexes.required('cms-2');
      build.delete('2', { version: Number.MAX_SAFE_INTEGER, version_type: 'external' });
      build.refresh();
      return 'well';
    };
    for (let turn = 0; counts === 0 && turn < MOST_TURNS; turn += 1) await all.feed(one);

    await one.put(...documents(4, 4, 'first'));
    await all.feed(one);

    expect([counts, serving(), all.double.indexes.names]).toEqual([1, 'cms-1', ['cms-1']]);
    expect(await all.found(one, 'first')).toEqual([4, 3, 2, 1]);
  });

  it.each<[string, (database: OpenSearch) => Promise<unknown>]>([
    ['is not known any more', forget],
    [
      'belongs to a state of the database that is gone',
      async ({ units }) => {
        await units.run((manager) => manager.query<unknown>('UPDATE search_changes SET at = at - 1'));
      },
    ],
  ])('is followed by another one where its place in the list of changes %s', async (_, lose) => {
    await one.put(...documents(1, 3, 'first'));
    await one.settle();
    await lose(one);
    await one.put(...documents(4, 5, 'first'));

    await turnsUntil(() => serving() === 'cms-2');

    expect(await all.found(one, 'first')).toEqual([5, 4, 3, 2, 1]);
  });

  it('is followed by another one when it was made by another version', async () => {
    const mappings = { ...DEFINITION.mappings, _meta: { program: PROGRAM, version: 0 } };
    all.double.indexes.create('cms-7', { ...DEFINITION, mappings, aliases: { cms: {} } });
    await one.put(...documents(1, 3, 'first'));

    await turnsUntil(() => serving() === 'cms-8');

    expect(await all.found(one, 'first')).toEqual([3, 2, 1]);
  });

  it('leaves others alone that only have such a name', async () => {
    const { settings, mappings } = DEFINITION;
    all.double.indexes.create('cms-notes', { settings, mappings });
    all.double.indexes.create('cms-05', { settings, mappings });
    await one.put(...documents(1, 3, 'first'));

    await one.settle();
    await generations(one).create();
    await turnsUntil(() => serving() === 'cms-2');
    await turnsUntil(() => !all.double.indexes.names.includes('cms-1'));

    expect(all.double.indexes.names).toEqual(['cms-05', 'cms-2', 'cms-notes']);
  });

  it('is not put in its place with other documents than the database has', async () => {
    await one.put(...documents(1, 5, 'first'));
    await one.settle();
    await generations(one).create();
    // OpenSearch has lost one that it had taken.
    all.double.behave = ({ group }) => {
      if (group === 'indices.refresh')
        all.double.indexes.required('cms-2').delete('3', { version: 1e9, version_type: 'external' });
      return 'well';
    };

    await turnsUntil(() => !all.double.indexes.names.includes('cms-2'));

    expect(serving()).toBe('cms-1');
    expect(await all.found(one, 'first')).toEqual([5, 4, 3, 2, 1]);
  });

  it('is neither put in its place nor removed by a count that went through a part of it', async () => {
    await one.put(...documents(1, 5, 'first'));
    await one.settle();
    await generations(one).create();
    let counts = 0;
    all.double.behave = ({ group, path }) => {
      counts += ['count', 'indices.refresh'].includes(group) && path.includes('cms-2') ? 1 : 0;
      return 'well';
    };
    all.double.coverage = { isTimedOut: false, failedShards: 1 };
    for (let turn = 0; counts === 0 && turn < MOST_TURNS; turn += 1) await all.feed({ feed: one.freshFeed() });
    expect([counts, serving(), all.double.indexes.names]).toEqual([1, 'cms-1', ['cms-1', 'cms-2']]);

    all.double.reset();
    await turnsUntil(() => serving() === 'cms-2');
  });

  describe.each<['drop' | 'lose', string]>([
    ['drop', 'before OpenSearch has done it'],
    ['lose', 'before its answer has come'],
  ])('that is built by a process which ends', (behaviour, when) => {
    it(`${when}, at whichever step, is built all the same while the former one is searched`, async () => {
      await one.put(...documents(1, 5, 'first'));
      await one.settle();
      const former = serving();
      const steps: SeenRequest[] = [];

      for (let step = 0; ; step += 1) {
        const before = serving();
        await generations(one).create();
        let requests = 0;
        const broken = steps.length;
        all.double.behave = (request) => {
          if (request.method === 'GET' || request.group === 'search') return 'well';
          requests += 1;
          if (requests <= step || steps.length > broken) return 'well';
          steps.push(request);
          return behaviour;
        };
        await turnsUntil(() => {
          // At no time there is nothing to search, and never a part.
          expect(counted(serving() ?? 'none')).toBe(5);
          return serving() !== before && all.double.indexes.names.length === 1;
        });
        expect(await all.found(one, 'first')).toEqual([5, 4, 3, 2, 1]);
        if (steps.length === broken) break;
      }

      expect(former).toBe('cms-1');
      expect(new Set(steps.map(({ group }) => group))).toEqual(
        new Set(['index', 'bulk', 'indices.refresh', 'count', 'indices.update_aliases', 'indices.delete']),
      );
      expect(all.double.indexes.madeByWrites).toEqual([]);
    });
  });
});
