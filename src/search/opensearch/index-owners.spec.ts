import type { OpenSearch } from '../../../test/support/open-search.js';
import { documents, generationsOf, SearchProcesses, searchSuite } from '../../../test/support/search-processes.js';
import { DEFINITION, PROGRAM, searchAlias, VERSION } from './definition.js';

const { signal } = new AbortController();

/** Whose an index is: of which database, of which release, and of an operator who has closed it. */
describe('An index of OpenSearch', () => {
  const suite = searchSuite({ documents: [1, 3, 'first'] });

  const refusal = (process: OpenSearch): Promise<string> =>
    process.find('first').then(
      () => 'answered',
      (error: unknown) => (error as Error).message,
    );

  describe('of another database', () => {
    let others: SearchProcesses;
    let other: OpenSearch;

    beforeEach(async () => {
      others = await SearchProcesses.begin(suite.all.double);
      other = await others.open();
      await other.put(...documents(1, 5, 'first'));
    });

    afterEach(() => others.end());

    it('is neither fed, searched nor removed, and the reason is said', async () => {
      await suite.one.settle();
      const asked = suite.all.double.requests.length;

      const message = expect.stringContaining('The index cms-1 belongs to another database');
      await expect(other.feed?.work(signal)).rejects.toMatchObject({ error: 'search_unavailable', message });
      expect(other.logged).toContainEqual(message);

      expect(suite.all.double.requests.slice(asked).map(({ method }) => method)).toEqual(['GET']);
      expect(await refusal(other)).toMatch(/^The search index belongs to another database/);
      expect(await suite.all.found(suite.one, 'first')).toEqual([3, 2, 1]);
    });

    it('is the one that was there first, where both begin', async () => {
      const [first, second] = [await generationsOf(suite.one).create(), await generationsOf(other).create()];
      await others.feed(other);
      await suite.one.settle();
      await others.feed(other);

      expect([first.name, second.name, suite.all.double.indexes.names]).toEqual(['cms-1', 'cms-2', ['cms-1']]);
      expect(await suite.all.found(suite.one, 'first')).toEqual([3, 2, 1]);
    });

    it('is replaced where an operator says that the other database is not used any more', async () => {
      await suite.one.settle();

      expect(await generationsOf(other).removeForeign()).toEqual(['cms-1']);
      await other.settle();

      expect(await others.found(other, 'first')).toEqual([5, 4, 3, 2, 1]);
      expect(await refusal(suite.one)).toMatch(/^The search index belongs to another database/);
      await expect(suite.one.feed?.work(signal)).rejects.toThrow('cms-2 belongs to another database');
    });

    it('is that of the origin of a copy, as soon as the copy is another database', async () => {
      await suite.one.settle();
      const before = await suite.one.identity.read();

      const renewed = await suite.one.identity.renew();
      const copy = await suite.all.open();

      expect([await copy.identity.read(), renewed === before]).toEqual([renewed, false]);
      await expect(copy.feed?.work(signal)).rejects.toThrow('belongs to another database');
      expect(suite.all.double.indexes.names).toEqual(['cms-1']);
    });
  });

  describe('of a newer release', () => {
    async function made(name: string, isSearchable: boolean): Promise<void> {
      const database = await suite.one.identity.read();
      const _meta = { program: PROGRAM, version: VERSION + 1, database };
      const aliases = { cms: {}, ...(isSearchable && { [searchAlias('cms', database)]: {} }) };
      suite.all.double.indexes.create(name, { ...DEFINITION, mappings: { _meta, ...DEFINITION.mappings }, aliases });
    }

    it('is searched where it answers the same searches, and neither fed, removed nor followed by another one', async () => {
      await made('cms-7', true);
      for (const _ of [1, 2, 3]) await suite.one.feed?.work(signal);

      expect(suite.all.double.indexes.names).toEqual(['cms-7']);
      expect((await suite.one.find('first')).total).toBe(0);
      expect(suite.one.logged.filter((line) => line.includes('newer release'))).toHaveLength(1);
    });

    it('refuses searches that it does not answer, and says why', async () => {
      await made('cms-7', false);

      expect(await refusal(suite.one)).toMatch(/^The search index was made by a newer release of the service/);
    });

    it('is left alone while it is built, and the searched one is fed', async () => {
      await suite.one.settle();
      const database = await suite.one.identity.read();
      const _meta = { program: PROGRAM, version: VERSION + 1, database };
      suite.all.double.indexes.create('cms-2', { ...DEFINITION, mappings: { _meta, ...DEFINITION.mappings } });
      await suite.one.put(...documents(4, 4, 'first'));

      await suite.one.settle();

      expect(suite.all.double.indexes.names).toEqual(['cms-1', 'cms-2']);
      expect(await suite.all.found(suite.one, 'first')).toEqual([4, 3, 2, 1]);
    });

    it('is followed by one of this release where an operator orders it', async () => {
      await made('cms-7', true);
      const { name } = await generationsOf(suite.one).create();

      while ((await generationsOf(suite.one).plan()).serving?.name !== name) await suite.one.feed?.work(signal);
      suite.all.double.refresh();

      expect(await suite.all.found(suite.one, 'first')).toEqual([3, 2, 1]);
    });
  });

  it('never gets the number of one that is gone', async () => {
    await suite.one.settle();
    suite.all.double.indexes.delete('cms-1');
    const other = await suite.all.open();
    await other.settle();
    expect(suite.all.double.indexes.names).toEqual(['cms-2']);

    await generationsOf(suite.one).remove({ name: 'cms-2' });
    expect((await generationsOf(suite.one).create()).name).toBe('cms-3');
  });

  it('that an operator has closed is followed by the next one, and stays', async () => {
    await suite.one.settle();
    suite.all.double.indexes.required('cms-1').isClosed = true;
    expect(await refusal(suite.one)).toMatch(/^The search index is being built/);

    const other = await suite.all.open();
    while (!(await generationsOf(other).plan()).serving) await other.feed?.work(signal);

    expect(suite.all.double.indexes.names).toEqual(['cms-1', 'cms-2']);
    expect(await suite.all.found(other, 'first')).toEqual([3, 2, 1]);
  });
});
