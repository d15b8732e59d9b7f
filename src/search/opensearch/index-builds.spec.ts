import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenSearch } from '../../../test/support/open-search.js';
import type { SeenRequest } from '../../../test/support/opensearch/opensearch-double.js';
import { documents, generationsOf, searchSuite } from '../../../test/support/search-processes.js';
import { DEFINITION, PROGRAM } from './definition.js';

const MOST_TURNS = 20;
const SLOW_MS = 2_000;
/** More than are copied at a time. */
const DOCUMENTS = 700;

describe('An index of OpenSearch', () => {
  const suite = searchSuite();

  const serving = (): string | undefined =>
    suite.all.double.indexes.names.find((name) => suite.all.double.indexes.required(name).aliases.has('cms'));
  const counted = (name: string): number => {
    suite.all.double.refresh();
    return suite.all.double.indexes.required(name).count({ query: { exists: { field: 'type_id' } } });
  };
  const forget = () => suite.one.units.run((manager) => manager.query<unknown>('DELETE FROM search_changes'));

  /** Turns of new processes, each of which has as little in memory as one after a crash. */
  async function turnsUntil(isDone: () => boolean): Promise<number> {
    for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
      await suite.all.feed({ feed: suite.one.freshFeed() });
      if (isDone()) return turn;
    }
    throw new Error('It has not come to an end.');
  }

  it('is made of all documents, with the ones that are written meanwhile', async () => {
    await suite.one.put(...documents(1, DOCUMENTS, 'first'));
    const meanwhile: Promise<void>[] = [];
    suite.all.double.behave = ({ group, text }) => {
      // While the second half is copied.
      if (group === 'bulk' && text.includes(`"${DOCUMENTS}"`))
        meanwhile.push(suite.one.put(...documents(1, 3, 'changed')));
      return 'well';
    };
    await suite.one.settle();
    suite.all.double.behave = () => 'well';
    await Promise.all(meanwhile);
    await suite.one.settle();

    expect(serving()).toBe('cms-1');
    expect(counted('cms-1')).toBe(DOCUMENTS);
    expect((await suite.one.find('first')).total).toBe(DOCUMENTS - 3);
  });

  it('takes the place of the former one when it is ordered, and the former one is removed', async () => {
    await suite.one.put(...documents(1, 3, 'first'));
    await suite.one.settle();
    await generationsOf(suite.one).create();

    await turnsUntil(() => serving() === 'cms-2');
    await turnsUntil(() => suite.all.double.indexes.names.length === 1);

    expect([suite.all.double.indexes.names, counted('cms-2')]).toEqual([['cms-2'], 3]);
    expect(await suite.all.found(suite.one, 'first')).toEqual([3, 2, 1]);
  });

  it('is fed while a build beside it was not whole, which is removed', async () => {
    await suite.one.put(...documents(1, 3, 'first'));
    await suite.one.settle();
    await generationsOf(suite.one).create();
    let counts = 0;
    suite.all.double.behave = ({ group, path }) => {
      if (group !== 'count' || !path.includes('cms-2')) return 'well';
      counts += 1;
      const build = suite.all.double.indexes.required('cms-2');
      build.delete('2', { version: Number.MAX_SAFE_INTEGER, version_type: 'external' });
      build.refresh();
      return 'well';
    };
    for (let turn = 0; counts === 0 && turn < MOST_TURNS; turn += 1) await suite.all.feed(suite.one);

    await suite.one.put(...documents(4, 4, 'first'));
    await suite.all.feed(suite.one);

    expect([counts, serving(), suite.all.double.indexes.names]).toEqual([1, 'cms-1', ['cms-1']]);
    expect(await suite.all.found(suite.one, 'first')).toEqual([4, 3, 2, 1]);
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
    await suite.one.put(...documents(1, 3, 'first'));
    await suite.one.settle();
    await lose(suite.one);
    await suite.one.put(...documents(4, 5, 'first'));

    await turnsUntil(() => serving() === 'cms-2');

    expect(await suite.all.found(suite.one, 'first')).toEqual([5, 4, 3, 2, 1]);
  });

  it('is followed by another one when it was made by another version', async () => {
    const mappings = { ...DEFINITION.mappings, _meta: { program: PROGRAM, version: 0 } };
    suite.all.double.indexes.create('cms-7', { ...DEFINITION, mappings, aliases: { cms: {} } });
    await suite.one.put(...documents(1, 3, 'first'));

    await turnsUntil(() => serving() === 'cms-8');

    expect(await suite.all.found(suite.one, 'first')).toEqual([3, 2, 1]);
  });

  it('leaves others alone that only have such a name', async () => {
    const { settings, mappings } = DEFINITION;
    suite.all.double.indexes.create('cms-notes', { settings, mappings });
    suite.all.double.indexes.create('cms-05', { settings, mappings });
    await suite.one.put(...documents(1, 3, 'first'));

    await suite.one.settle();
    await generationsOf(suite.one).create();
    await turnsUntil(() => serving() === 'cms-2');
    await turnsUntil(() => !suite.all.double.indexes.names.includes('cms-1'));

    expect(suite.all.double.indexes.names).toEqual(['cms-05', 'cms-2', 'cms-notes']);
  });

  it('keeps no stop waiting for the pause behind a slow portion', async () => {
    await suite.one.put(...documents(1, 5, 'first'));
    suite.all.double.behave = ({ group }) => sleep(group === 'bulk' ? SLOW_MS : 0, 'well' as const);
    const stop = new AbortController();
    // The pause begins when the place behind the portion is stored, and is as long as the portion took.
    const turn = suite.one.feed?.work(stop.signal);
    while (!suite.all.double.requests.some(({ group }) => group === 'bulk')) await sleep(20);
    await sleep(SLOW_MS + 300);
    stop.abort();
    const stoppedAt = performance.now();
    await turn;

    expect(performance.now() - stoppedAt).toBeLessThan(SLOW_MS / 2);
  });

  it('is not put in its place with other documents than the database has', async () => {
    await suite.one.put(...documents(1, 5, 'first'));
    await suite.one.settle();
    await generationsOf(suite.one).create();
    // OpenSearch has lost one that it had taken.
    suite.all.double.behave = ({ group }) => {
      if (group === 'indices.refresh')
        suite.all.double.indexes.required('cms-2').delete('3', { version: 1e9, version_type: 'external' });
      return 'well';
    };

    await turnsUntil(() => !suite.all.double.indexes.names.includes('cms-2'));

    expect(serving()).toBe('cms-1');
    expect(await suite.all.found(suite.one, 'first')).toEqual([5, 4, 3, 2, 1]);
  });

  it('is neither put in its place nor removed by a count that went through a part of it', async () => {
    await suite.one.put(...documents(1, 5, 'first'));
    await suite.one.settle();
    await generationsOf(suite.one).create();
    let counts = 0;
    suite.all.double.behave = ({ group, path }) => {
      counts += ['count', 'indices.refresh'].includes(group) && path.includes('cms-2') ? 1 : 0;
      return 'well';
    };
    suite.all.double.coverage = { isTimedOut: false, failedShards: 1 };
    for (let turn = 0; counts === 0 && turn < MOST_TURNS; turn += 1)
      await suite.all.feed({ feed: suite.one.freshFeed() });
    expect([counts, serving(), suite.all.double.indexes.names]).toEqual([1, 'cms-1', ['cms-1', 'cms-2']]);

    suite.all.double.reset();
    await turnsUntil(() => serving() === 'cms-2');
  });

  describe.each<['drop' | 'lose', string]>([
    ['drop', 'before OpenSearch has done it'],
    ['lose', 'before its answer has come'],
  ])('that is built by a process which ends', (behaviour, when) => {
    it(`${when}, at whichever step, is built all the same while the former one is searched`, async () => {
      await suite.one.put(...documents(1, 5, 'first'));
      await suite.one.settle();
      const former = serving();
      const steps: SeenRequest[] = [];

      for (let step = 0; ; step += 1) {
        const before = serving();
        await generationsOf(suite.one).create();
        let requests = 0;
        const broken = steps.length;
        suite.all.double.behave = (request) => {
          if (request.method === 'GET' || request.group === 'search') return 'well';
          requests += 1;
          if (requests <= step || steps.length > broken) return 'well';
          steps.push(request);
          return behaviour;
        };
        await turnsUntil(() => {
          // At no time there is nothing to search, and never a part.
          expect(counted(serving() ?? 'none')).toBe(5);
          return serving() !== before && suite.all.double.indexes.names.length === 1;
        });
        expect(await suite.all.found(suite.one, 'first')).toEqual([5, 4, 3, 2, 1]);
        if (steps.length === broken) break;
      }

      expect(former).toBe('cms-1');
      expect(new Set(steps.map(({ group }) => group))).toEqual(
        new Set(['index', 'bulk', 'indices.refresh', 'count', 'indices.update_aliases', 'indices.delete']),
      );
      expect(suite.all.double.indexes.madeByWrites).toEqual([]);
    });
  });
});
