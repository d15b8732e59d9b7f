import type { ReceivedSpan } from '../support/otlp-spans.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { startProviderApp, type ProviderApp } from '../support/provider-app.js';
import { ProviderBrowser } from '../support/provider-browser.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const OTHER_ID = '1bf7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const TITLE = 'A title of its own';
const SYSTEM = process.env.TEST_DATABASE_URL === undefined ? 'sqlite' : 'mysql';

describe('Spans', () => {
  let collector: OtlpReceiver;
  let service: ProviderApp;
  let provider: URL;
  let asked: (string | undefined)[];

  // A stop sends what is recorded: after it all of it is there, and nothing has to be waited for.
  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    service = await startProviderApp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20team',
      OTEL_SERVICE_NAME: 'cms-of-tests',
      OTEL_TRACES_SAMPLER_ARG: '1',
    });
    const post = (traceparent: string) =>
      service.http().post('/api/cms/post').set('traceparent', traceparent).send({ title: TITLE });
    await post(`00-${TRACE_ID}-${PARENT_ID}-01`).expect(201);
    await post(`00-${OTHER_ID}-${PARENT_ID}-00`).expect(201);
    await service.http().get('/api/cms/post/4711').expect(404);
    await service.http().get('/nothing/here').expect(404);
    await service.http().propfind('/api/cms/post');
    await new ProviderBrowser(service).signIn('oidc');
    await service.run('records.fold-counts');
    provider = new URL(service.provider.url);
    asked = service.provider.requests.map(({ headers }) => headers.traceparent as string | undefined);
    await service.close();
  });

  afterAll(() => collector.stop());

  const named = (name: string): ReceivedSpan => {
    const found = collector.spans.find((span) => span.name === name);
    if (!found) throw new Error(`There is no span ${name}.`);
    return found;
  };
  const below = ({ traceId, spanId }: ReceivedSpan): ReceivedSpan[] =>
    collector.spans.filter((span) => span.traceId === traceId && span.parentId === spanId);

  it('are of the service, and come with the headers of the settings', () => {
    expect(named('POST /api/cms/:type').resource).toMatchObject({ 'service.name': 'cms-of-tests' });
    expect(collector.headers[0]).toMatchObject({ 'x-team': 'a team', 'content-type': 'application/x-protobuf' });
  });

  it('of a write go on with the trace of the request, the unit of work and its reads below it', () => {
    const request = named('POST /api/cms/:type');

    expect(request).toMatchObject({ traceId: TRACE_ID, parentId: PARENT_ID, kind: 'server', isError: false });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/cms/:type',
      'http.response.status_code': 201,
    });
    const unit = below(request).find(({ name }) => name === 'TRANSACTION');
    expect(unit).toMatchObject({ kind: 'client', isError: false });
    expect(unit?.attributes).toEqual({ 'db.system.name': SYSTEM, 'db.operation.name': 'TRANSACTION' });
    expect(unit?.duration).toBeGreaterThan(0);
    expect(unit?.duration).toBeLessThanOrEqual(request.duration);
  });

  it('of a read have the query that it asks', () => {
    const request = named('GET /api/cms/:type/:id');

    expect(request).toMatchObject({ parentId: '', isError: false });
    expect(request.attributes['http.response.status_code']).toBe(404);
    const query = below(request).find(({ name }) => name === 'SELECT records');
    expect(query?.kind).toBe('client');
    expect(query?.attributes).toEqual({
      'db.system.name': SYSTEM,
      'db.operation.name': 'SELECT',
      'db.collection.name': 'records',
    });
  });

  it('of a sign-in with a provider have what the provider is asked, which gets the trace', () => {
    const request = named('GET /api/auth/oidc/callback');
    const calls = below(request).filter(({ attributes }) => 'server.address' in attributes);

    expect(calls.map(({ name }) => name)).toEqual(['POST', 'GET']);
    for (const { attributes, kind, name, traceId, spanId } of calls) {
      expect(kind).toBe('client');
      expect(attributes).toEqual({
        'http.request.method': name,
        'http.response.status_code': 200,
        'server.address': provider.hostname,
        'server.port': Number(provider.port),
      });
      expect(asked).toContain(`00-${traceId}-${spanId}-01`);
    }
    expect(below(request).map(({ name }) => name)).toContain('TRANSACTION');
  });

  it('of a job begin a trace, with its units and queries below', () => {
    const job = named('job records.fold-counts');

    expect(job).toMatchObject({
      parentId: '',
      kind: 'internal',
      attributes: { 'cms.job.name': 'records.fold-counts' },
    });
    expect(job.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(below(job).map(({ name }) => name)).toEqual(expect.arrayContaining(['TRANSACTION']));
  });

  it('are not made of a trace that its sender does not record', () => {
    expect(collector.spans.filter(({ traceId }) => traceId === OTHER_ID)).toEqual([]);
  });

  it('name no path where no route fits, and no method outside of the closed set', () => {
    expect(named('GET').attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 404 });
    expect(named('HTTP').attributes['http.request.method']).toBe('_OTHER');
  });

  it('have no ids, values and secrets', () => {
    const all = JSON.stringify(collector.spans.map(({ name, attributes }) => ({ name, attributes })));

    for (const word of [TITLE, '4711', '/nothing/here', 'token-0123456789', 'code=', 'oidc-client'])
      expect(all).not.toContain(word);
  });
});
