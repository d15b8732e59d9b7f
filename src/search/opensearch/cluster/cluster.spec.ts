import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { OpenSearchDouble, type Behaviour } from '../../../../test/support/opensearch/opensearch-double.js';
import { certificateOf } from '../../../../test/support/tls-database.js';
import { readSettings } from '../../../config/settings.js';
import { ANSWER_AFTER_ABORT_MS, Cluster, type ClusterRequest } from './cluster.js';
import { type ClusterError } from './cluster-error.js';
import { DEFINITION } from '../definition.js';

const INFO: ClusterRequest = { method: 'GET', path: '/', within: 2_000 };
const DATABASE_URL = 'mysql://root@127.0.0.1:3306/cms';

describe('A cluster of OpenSearch', () => {
  let double: OpenSearchDouble;
  let cluster: Cluster;

  beforeEach(async () => {
    double = await OpenSearchDouble.start();
    cluster = of({ SEARCH_URL: double.url });
  });

  afterEach(async () => {
    await cluster.close();
    await double.close();
  });

  function of(settings: Record<string, string>): Cluster {
    const { searchServer } = readSettings('test', { DATABASE_URL, ...settings });
    if (!searchServer) throw new Error('There is no OpenSearch.');
    return new Cluster(searchServer);
  }

  const outcome = (request: Partial<ClusterRequest> = {}, asked = cluster): Promise<unknown> =>
    asked.ask({ ...INFO, ...request }).catch((error: unknown) => (error as ClusterError).kind);

  it('is sent the user and the password of the address', async () => {
    const guarded = await OpenSearchDouble.start({ user: { name: 'cms', password: 'p@ss:word/é' } });
    const [known, unknown] = [
      of({ SEARCH_URL: guarded.url }),
      of({ SEARCH_URL: guarded.url.replace(/cms:.*@/, 'x:y@') }),
    ];

    expect(await outcome({}, known)).toMatchObject({ cluster_name: 'double' });
    expect(await outcome({}, unknown)).toBe('closed');
    for (const closed of [known, unknown, guarded]) await closed.close();
  });

  it('is trusted by the certificate of an authority that is named, and else not at all', async () => {
    const cert = certificateOf('localhost');
    const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(cert.replace('.pem', '.key'), 'utf8') };
    const encrypted = await OpenSearchDouble.start({ tls });
    const [named, unnamed] = [of({ SEARCH_URL: encrypted.url, SEARCH_TLS: cert }), of({ SEARCH_URL: encrypted.url })];

    expect(await outcome({}, named)).toMatchObject({ cluster_name: 'double' });
    expect(await outcome({}, unnamed)).toBe('away');
    for (const closed of [named, unnamed, encrypted]) await closed.close();
  });

  it.each<[Behaviour, string]>([
    ['hang', 'late'],
    ['stall', 'late'],
    ['drop', 'away'],
    [429, 'busy'],
    [503, 'busy'],
  ])('that behaves so: %s, has failed as %s within the time of the request', async (behaviour, kind) => {
    double.behave = () => behaviour;
    await outcome({ within: 500 });
    const startedAt = performance.now();

    expect(await outcome({ within: 500 })).toBe(kind);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(double.requests).toHaveLength(2);
  });

  it('is sent nothing once the signal of a request is aborted, and a read under way ends at once', async () => {
    const stop = new AbortController();
    const { signal } = stop;
    double.behave = () => {
      stop.abort();
      return 'hang';
    };

    expect(await outcome({ signal, within: 60_000 })).toBe('stopped');
    expect(await outcome({ signal })).toBe('stopped');
    expect(double.requests).toHaveLength(1);
  });

  it('has some seconds to answer a write whose signal is aborted, and no more', async () => {
    const stop = new AbortController();
    const write = { method: 'PUT', path: '/cms-1/_doc/1', body: {}, signal: stop.signal, within: 60_000 } as const;
    let proceed = (): void => undefined;
    double.behave = () =>
      new Promise((resolve) => {
        proceed = () => {
          resolve('well');
        };
        stop.abort();
      });
    const answered = outcome(write);
    while (!stop.signal.aborted) await setImmediate();
    proceed();
    expect(await answered).toMatchObject({ result: 'created' });

    const again = new AbortController();
    double.behave = () => {
      again.abort();
      return 'hang';
    };
    const startedAt = performance.now();
    expect(await outcome({ ...write, signal: again.signal })).toBe('stopped');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(ANSWER_AFTER_ABORT_MS - 1);
    // The lease of the one that stops is another's five seconds later (ADR 33).
    expect(ANSWER_AFTER_ABORT_MS).toBeLessThan(5_000);
  });

  it('that is gone is away, and answers again when it is back', async () => {
    const { port } = double;
    await double.away();
    expect(await outcome()).toBe('away');

    await double.listen(port);

    expect(await outcome()).toMatchObject({ cluster_name: 'double' });
  });

  it('says what it does not have, and takes nothing that is not documented', async () => {
    const create = (index: string, body: object): Promise<unknown> =>
      outcome({ method: 'PUT', path: `/${index}`, body });
    const search = (body: object): Promise<unknown> => outcome({ method: 'POST', path: '/cms-1/_search', body });
    const all = { query: { exists: { field: 'id' } }, sort: [{ id: 'asc' }], track_total_hits: true };
    const { settings, mappings } = DEFINITION;

    expect(await outcome({ path: '/cms-1/_doc/1' })).toBe('missing');
    expect(await create('cms-1', DEFINITION)).toMatchObject({ acknowledged: true });
    expect(await search(all)).toMatchObject({ hits: { total: { value: 0 } } });
    expect(
      await Promise.all([
        create('cms-1', DEFINITION),
        create('CMS-2', DEFINITION),
        create('cms-2', { settings, mappings: { ...mappings, dynamik: 'strict' } }),
        create('cms-3', { settings: { index: { refresh: '1s' } }, mappings }),
        outcome({ query: { colour: 'red' } }),
        outcome({ method: 'POST', path: '/cms-1/_find' }),
        search({ ...all, colour: 'red' }),
        search({ ...all, query: { terms_of: { status: ['draft'] } } }),
        search({ ...all, query: { term: { title: { value: 'x', colour: 'red' } } } }),
        search({ ...all, size: 100_001 }),
      ]),
    ).toEqual(Array.from({ length: 10 }, () => 'refused'));
  });
});
