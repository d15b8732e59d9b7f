import type { OpenSearch } from '../../../test/support/open-search.js';
import { documents, SearchProcesses } from '../../../test/support/search-processes.js';
import { DEFINITION, PROGRAM, searchAlias, VERSION } from './definition.js';
import type { Generations } from './generations.js';
import { OpenSearchIndex } from './open-search-index.js';

const { signal } = new AbortController();

/** Whose an index is: of which database, of which release, and of an operator who has closed it. */
describe('An index of OpenSearch', () => {
  let all: SearchProcesses;
  let one: OpenSearch;

  beforeEach(async () => {
    all = await SearchProcesses.begin();
    one = await all.open();
    await one.put(...documents(1, 3, 'first'));
  });

  afterEach(() => all.end());

  const generations = ({ index }: OpenSearch): Generations => {
    if (!(index instanceof OpenSearchIndex)) throw new Error('OpenSearch is not searched.');
    return index.generations;
  };
  const refusal = (process: OpenSearch): Promise<string> =>
    process.find('first').then(
      () => 'answered',
      (error: unknown) => (error as Error).message,
    );

  describe('of another database', () => {
    let others: SearchProcesses;
    let other: OpenSearch;

    beforeEach(async () => {
      others = await SearchProcesses.begin(all.double);
      other = await others.open();
      await other.put(...documents(1, 5, 'first'));
    });

    afterEach(() => others.end());

    it('is neither fed, searched nor removed, and the reason is said', async () => {
      await one.settle();
      const asked = all.double.requests.length;

      const message = expect.stringContaining('The index cms-1 belongs to another database');
      await expect(other.feed?.work(signal)).rejects.toMatchObject({ error: 'search_unavailable', message });
      expect(other.logged).toContainEqual(message);

      expect(all.double.requests.slice(asked).map(({ method }) => method)).toEqual(['GET']);
      expect(await refusal(other)).toMatch(/^The search index belongs to another database/);
      expect(await all.found(one, 'first')).toEqual([3, 2, 1]);
    });

    it('is the one that was there first, where both begin', async () => {
      const [first, second] = [await generations(one).create(), await generations(other).create()];
      await others.feed(other);
      await one.settle();
      await others.feed(other);

      expect([first.name, second.name, all.double.indexes.names]).toEqual(['cms-1', 'cms-2', ['cms-1']]);
      expect(await all.found(one, 'first')).toEqual([3, 2, 1]);
    });

    it('is replaced where an operator says that the other database is not used any more', async () => {
      await one.settle();

      expect(await generations(other).removeForeign()).toEqual(['cms-1']);
      await other.settle();

      expect(await others.found(other, 'first')).toEqual([5, 4, 3, 2, 1]);
      expect(await refusal(one)).toMatch(/^The search index belongs to another database/);
      await expect(one.feed?.work(signal)).rejects.toThrow('cms-2 belongs to another database');
    });

    it('is that of the origin of a copy, as soon as the copy is another database', async () => {
      await one.settle();
      const before = await one.identity.read();

      const renewed = await one.identity.renew();
      const copy = await all.open();

      expect([await copy.identity.read(), renewed === before]).toEqual([renewed, false]);
      await expect(copy.feed?.work(signal)).rejects.toThrow('belongs to another database');
      expect(all.double.indexes.names).toEqual(['cms-1']);
    });
  });

  describe('of a newer release', () => {
    async function made(name: string, isSearchable: boolean): Promise<void> {
      const database = await one.identity.read();
      const _meta = { program: PROGRAM, version: VERSION + 1, database };
      const aliases = { cms: {}, ...(isSearchable && { [searchAlias('cms', database)]: {} }) };
      all.double.indexes.create(name, { ...DEFINITION, mappings: { _meta, ...DEFINITION.mappings }, aliases });
    }

    it('is searched where it answers the same searches, and neither fed, removed nor followed by another one', async () => {
      await made('cms-7', true);
      for (const _ of [1, 2, 3]) await one.feed?.work(signal);

      expect(all.double.indexes.names).toEqual(['cms-7']);
      expect((await one.find('first')).total).toBe(0);
      expect(one.logged.filter((line) => line.includes('newer release'))).toHaveLength(1);
    });

    it('refuses searches that it does not answer, and says why', async () => {
      await made('cms-7', false);

      expect(await refusal(one)).toMatch(/^The search index was made by a newer release of the service/);
    });

    it('is left alone while it is built, and the searched one is fed', async () => {
      await one.settle();
      const database = await one.identity.read();
      const _meta = { program: PROGRAM, version: VERSION + 1, database };
      all.double.indexes.create('cms-2', { ...DEFINITION, mappings: { _meta, ...DEFINITION.mappings } });
      await one.put(...documents(4, 4, 'first'));

      await one.settle();

      expect(all.double.indexes.names).toEqual(['cms-1', 'cms-2']);
      expect(await all.found(one, 'first')).toEqual([4, 3, 2, 1]);
    });

    it('is followed by one of this release where an operator orders it', async () => {
      await made('cms-7', true);
      const { name } = await generations(one).create();

      while ((await generations(one).plan()).serving?.name !== name) await one.feed?.work(signal);
      all.double.refresh();

      expect(await all.found(one, 'first')).toEqual([3, 2, 1]);
    });
  });

  it('never gets the number of one that is gone', async () => {
    await one.settle();
    all.double.indexes.delete('cms-1');
    const other = await all.open();
    await other.settle();
    expect(all.double.indexes.names).toEqual(['cms-2']);

    await generations(one).remove({ name: 'cms-2' });
    expect((await generations(one).create()).name).toBe('cms-3');
  });

  it('that an operator has closed is followed by the next one, and stays', async () => {
    await one.settle();
    all.double.indexes.required('cms-1').isClosed = true;
    expect(await refusal(one)).toMatch(/^The search index is being built/);

    const other = await all.open();
    while (!(await generations(other).plan()).serving) await other.feed?.work(signal);

    expect(all.double.indexes.names).toEqual(['cms-1', 'cms-2']);
    expect(await all.found(other, 'first')).toEqual([3, 2, 1]);
  });
});
