import { aDocument } from '../../../test/support/open-search.js';
import type { Behaviour, Coverage } from '../../../test/support/opensearch/opensearch-double.js';
import { documents, searchSuite } from '../../../test/support/search-processes.js';
import { DomainError } from '../../common/errors/domain-error.js';

const BOUND_MS = 2_500;
const AT_ONCE_MS = 50;

describe('A search in OpenSearch', () => {
  const suite = searchSuite({ documents: [1, 4, 'first'], isSettled: true });

  async function refusal(process = suite.one): Promise<{ error: unknown; retryAfter: string | undefined; ms: number }> {
    const startedAt = performance.now();
    const reason: unknown = await process.find('first').catch((error: unknown) => error);
    const ms = performance.now() - startedAt;
    if (!(reason instanceof DomainError)) return { error: reason, retryAfter: undefined, ms };
    return { error: reason.error, retryAfter: reason.headers?.['Retry-After'], ms };
  }

  it('shows no record that is removed, unpublished, changed or of another type by now, and does not count it', async () => {
    await suite.one.remove(1);
    await suite.one.put(aDocument(2, 'first', { status: 'draft' }), aDocument(3, 'otherwise'));
    const within = [{ typeId: 1, statuses: ['published'] as const }];

    const { total, hits } = await suite.one.find('first', { within });

    expect([total, hits.map(({ id }) => id)]).toEqual([1, [4]]);
  });

  it.each<[string, Behaviour]>([
    ['hangs', 'hang'],
    ['sends half of an answer', 'stall'],
    ['breaks off', 'drop'],
    ['is overloaded', 429],
    ['is red', 503],
  ])('that %s is refused within two seconds and a half, and after the third time at once', async (_, behaviour) => {
    suite.all.double.behave = ({ group }) => (group === 'search' ? behaviour : 'well');
    const first = [await refusal(), await refusal(), await refusal()];
    const asked = suite.all.double.requests.length;
    const then = await refusal();

    expect(first.map(({ error }) => error)).toEqual(Array.from({ length: 3 }, () => 'search_unavailable'));
    expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(BOUND_MS);
    expect(then).toMatchObject({ error: 'search_unavailable', retryAfter: '2' });
    expect(then.ms).toBeLessThan(AT_ONCE_MS);
    expect(suite.all.double.requests).toHaveLength(asked);
  });

  it.each<[string, Coverage]>([
    ['has not come to the end of it in time', { isTimedOut: true, failedShards: 0 }],
    ['has lost a part of it', { isTimedOut: false, failedShards: 1 }],
  ])('is refused when OpenSearch %s, since the hits of a part would look like all', async (_, coverage) => {
    suite.all.double.coverage = coverage;
    const partial = await refusal();
    suite.all.double.reset();

    expect(partial).toMatchObject({ error: 'search_unavailable', retryAfter: '2' });
    expect(await suite.all.found(suite.one, 'first')).toEqual([4, 3, 2, 1]);
  });

  it('is answered again when OpenSearch is back, with what was written meanwhile', async () => {
    const { port } = suite.all.double;
    await suite.all.double.away();
    for (const _ of [1, 2, 3]) await refusal();
    const startedAt = performance.now();
    await suite.one.put(...documents(5, 9, 'first'));
    const ms = performance.now() - startedAt;
    await suite.all.feed(suite.one);
    await suite.all.double.listen(port);
    const other = await suite.all.open();
    await other.settle();

    expect(await suite.all.found(other, 'first')).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    while ((await refusal()).error === 'search_unavailable');
    expect(await suite.all.found(suite.one, 'first')).toHaveLength(9);
    // Writes do not wait for it.
    expect(ms).toBeLessThan(BOUND_MS);
  });

  it('is refused while the first index is being built, and counts as no failure of OpenSearch', async () => {
    suite.all.double.indexes.delete('cms-1');
    for (const _ of [1, 2, 3, 4]) expect((await refusal()).error).toBe('search_unavailable');
    const other = await suite.all.open();
    await other.settle();

    expect(await suite.all.found(suite.one, 'first')).toEqual([4, 3, 2, 1]);
  });

  it('goes on to the last page that OpenSearch gives, and says where that is', async () => {
    expect((await suite.one.find('first', { offset: 99_990, limit: 10 })).total).toBe(4);
    await expect(suite.one.find('first', { offset: 99_991, limit: 10 })).rejects.toMatchObject({
      error: 'invalid_query',
    });
  });

  it('writes nothing to OpenSearch in the unit of work that writes a record', async () => {
    const asked = suite.all.double.requests.length;

    await suite.one.units.run(async (manager) => {
      await suite.one.index.upsert(manager, documents(5, 6, 'first'));
      await suite.one.index.remove(manager, [{ id: 1, typeId: 1 }]);
      await suite.one.index.replace(manager, 1, { after: 1, upTo: 3 }, documents(2, 2, 'first'));
    });

    expect(suite.all.double.requests).toHaveLength(asked);
  });
});
