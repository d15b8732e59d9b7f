import { METHODS } from '../../src/common/openapi/openapi.registry.js';
import { Contract, type ApiDocument } from '../support/contract.js';
import { DECLARED_TYPES, declareTypes } from '../support/contract-types.js';
import { routesOf } from '../support/routes.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { wholeDocument } from '../support/whole-document.js';
import { goThroughAudit, goThroughOwnTokens, goThroughTokens, goThroughUsers } from './accounts.walk.js';
import { Conversation } from './conversation.js';
import { goThroughBulk, goThroughDraftList, goThroughPublishing } from './publishing.walk.js';
import { createRecord, everyKind, goThroughRecords, WRITER } from './records.walk.js';
import { goThroughDamage, goThroughRevisions } from './revisions.walk.js';
import { goThroughTaxonomies, goThroughTerms } from './taxonomy.walk.js';
import { goThroughExports } from './exports.walk.js';
import { goThroughIdentities } from './identities.walk.js';
import { goThroughSignIn } from './sign-in.walk.js';
import { goThroughGateway } from './gateway.walk.js';
import { goThroughSecurity } from './security.walk.js';
import { goThroughMailSignIn } from './mail-sign-in.walk.js';
import { goThroughProviders } from './providers.walk.js';
import { goThroughSitemap } from './sitemap.walk.js';
import { goThroughSearch } from './search.walk.js';
import { goThroughTypes } from './types.walk.js';

const NO_TOKEN = { token: null };
const WRONG_TOKEN = { token: 'cms_no-such-token' };

/** Answers that need a database that is gone, or another state that a test of the contract does not make. */
const NOT_MADE_HERE = /^GET \/health\/ready 503$/;

/** Routes that ask for no access token. */
const OPEN_TO_ALL =
  / \/(?:$|api$|health|api\/docs|api\/openapi|sitemap|robots|\.well-known|api\/auth\/(?:jwks|login|methods|refresh|logout|(?:google|apple|oidc)\/(?:redirect|callback|token|backchannel)|exchange|lock-down|otp|magic-link|password\/(?:forgot|reset)|invitations\/accept))/;

/** Paths to objects whose members are not described. */
function vagueObjects(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const isObject = 'type' in node && [node.type].flat().includes('object');
  const isVague = isObject && !('additionalProperties' in node);
  const inside = Object.entries(node).flatMap(([key, value]) => vagueObjects(value, `${path}/${key}`));
  return isVague ? [path, ...inside] : inside;
}

describe('The OpenAPI document', () => {
  let service: TestApp;
  let contract: Contract;
  let talk: Conversation;

  const read = async (): Promise<ApiDocument> => (await service.anonymous().get('/api/openapi.json')).body;

  beforeAll(async () => {
    const tokens = Object.entries({
      admin: TOKENS.admin,
      reader: `${TOKENS.reader};records:read`,
      writer: `${WRITER};records:create records:update drafts:read`,
    });
    service = await startTestApp({
      API_TOKENS: tokens.map(([name, rest]) => `${name}=${rest}`).join(','),
      // Every route is asked with a wrong token here. Headers tell of the limit of users; a walk of its own goes beyond it.
      RATE_LIMITS: 'bad_tokens=0,login=0,auth=0,refresh=2,users=10000',
      // An identity counts as a way to sign in where its provider is configured.
      GOOGLE_CLIENT_ID: 'contract',
      GOOGLE_CLIENT_SECRET: 'contract',
    });
    await declareTypes(service);
    contract = new Contract(await read());
    talk = new Conversation(service, contract);
  });

  afterAll(() => service.close());

  it('has every route that the service has, and no other', () => {
    const types = ['post', 'page', ...DECLARED_TYPES];
    const routes = routesOf(service.app)
      .filter(({ path }) => !/^\/(?:admin|api\/docs\/assets)\b/.test(path))
      .flatMap(({ method, path }) =>
        // What is the same for all types is described once.
        path.startsWith('/api/cms/:type') && !path.endsWith('/-/bulk')
          ? types.map((type) => `${method} ${path.replace(':type', type)}`)
          : [`${method} ${path}`],
      );

    expect(contract.operations().toSorted()).toEqual(
      routes.map((route) => route.replace(/[:*](\w+)/g, '{$1}')).toSorted(),
    );
  });

  it('has a name of its own for every schema and every operation', () => {
    const names = Object.values(contract.document.paths).flatMap((item) =>
      Object.values(item ?? {}).flatMap((operation) => ('operationId' in operation ? operation.operationId : [])),
    );

    expect(new Set(names).size).toBe(contract.operations().length);
    expect(Object.keys(contract.document.components?.schemas ?? {})).toEqual(
      expect.arrayContaining(['AB', 'ABRecord', 'EveryKind', 'User', 'UserRecord', 'UserRecordCreate']),
    );
  });

  it('is made piece by piece, byte for byte as if it were made in one go', async () => {
    const { text } = await service.anonymous().get('/api/openapi.json');
    const { openapi, info, servers, tags, security, components: { securitySchemes } = {} } = contract.document;

    const { paths, components } = await wholeDocument(service.app);

    const head = { openapi, info, servers, tags, security };
    expect(text).toBe(JSON.stringify({ ...head, paths, components: { securitySchemes, ...components } }));
  });

  it('has the operations on the records of a type in the order in which they are looked for', () => {
    const names = Object.entries(contract.document.paths)
      .filter(([path]) => /^\/api\/cms\/post(\/|$)/.test(path))
      .flatMap(([, item]) => METHODS.flatMap((method) => item?.[method]?.operationId ?? []));

    expect(names).toEqual([
      ...['listPost', 'createPost', 'getPost', 'updatePost', 'patchPost', 'deletePost', 'restorePost'],
      ...['listTrashOfPost', 'exportPost'],
      ...['getDraftOfPost', 'replaceDraftOfPost', 'updateDraftOfPost', 'deleteDraftOfPost', 'applyDraftOfPost'],
      ...['publishPost', 'unpublishPost'],
      ...['listRevisionsOfPost', 'getRevisionOfPost', 'diffRevisionsOfPost', 'rollBackPost'],
    ]);
  });

  it('leaves what belongs to the service to the service, whatever content types are called', () => {
    const { schemas = {} } = contract.document.components ?? {};

    expect(schemas).toMatchObject({
      Error: { required: ['error', 'message'] },
      Fault: { required: ['field', 'rule', 'message'] },
      ListMeta: { required: ['per_page', 'current_page'] },
      ErrorRecord: { properties: { type: { const: 'error' } } },
      FaultRecord: { properties: { type: { const: 'fault' } } },
      ListMetaRecord: { properties: { type: { const: 'list-meta' } } },
      RecordRecord: { properties: { type: { const: 'record' } } },
    });
  });

  it('answers whole records, written out, under a name for every answer', () => {
    const { schemas = {} } = contract.document.components ?? {};

    expect(schemas).not.toHaveProperty('PostPart');
    expect(JSON.stringify(schemas)).not.toContain('"allOf"');
    expect(schemas.PostList).toMatchObject({ properties: { data: { items: { $ref: '#/components/schemas/Post' } } } });
    expect(schemas.Post?.required).toEqual(Object.keys(schemas.Post?.properties ?? {}));
    expect(contract.unnamedAnswers()).toEqual([]);
  });

  it('says of every object whether anything else may stand in it', () => {
    expect(vagueObjects(contract.document)).toEqual([]);
  });

  it('has patterns that mean the same to every validator', () => {
    const text = JSON.stringify(contract.document.components?.schemas);
    const patterns = [...text.matchAll(/"pattern":"((?:[^"\\\\]|\\\\.)*)"/g)].map(([, found]) => found ?? '');

    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => /\\p\{|\(\?i/i.test(pattern))).toEqual([]);
  });

  it('proposes no id, version or record, which would have to exist: the page of the API sends what is proposed', () => {
    const parameters = /\{[^{}]*"in":"(?:path|header)"[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g;
    const text = JSON.stringify([contract.document.paths, contract.document.components?.parameters]);
    const proposed = [...text.matchAll(parameters)].filter(([one]) => one.includes('"example'));

    expect(new Set(proposed.map(([one]) => /"name":"([^"]*)"/.exec(one)?.[1]))).toEqual(new Set(['type', 'taxonomy']));
    expect(text).not.toMatch(/"example":\{[^}]*"(?:author|employer)":/);
  });

  describe('is true to what is answered by', () => {
    it('the routes that are open to everybody', async () => {
      for (const path of ['/', '/api', '/health/live', '/health/ready', '/api/openapi.json', '/api/docs']) {
        await talk.expectStatus(200, `GET ${path}`, NO_TOKEN);
      }
      await talk.unchanged('GET /api/openapi.json', NO_TOKEN);
    });

    it('every other route without a credential and with a wrong one', async () => {
      const closed = contract.operations().filter((name) => !OPEN_TO_ALL.test(name));
      for (const name of closed) {
        const request = name.replace(/\{\w+\}/g, '1');
        await talk.expectStatus(401, request, NO_TOKEN);
        await talk.expectStatus(401, request, WRONG_TOKEN);
      }
    });

    it('every route of content that is sent something else than JSON, or a parameter that it does not know', async () => {
      const places: Readonly<Record<string, string>> = { taxonomy: 'tag', type: 'post' };
      const requests = contract
        .operations()
        .filter((name) => / \/api\/(?:cms|admin\/(?:types|taxonomies))/.test(name))
        .map((name) => name.replace(/\{(\w+)\}/g, (_place, key: string) => places[key] ?? '1'));
      const refused: string[] = [];
      for (const request of requests) {
        const headers = { 'Content-Type': 'application/json' };
        const unknown = await talk.expectStatus(400, `${request}?no-such-parameter=1`);
        if (/^(?:POST|PUT|PATCH) /.test(request))
          refused.push((await talk.call(request, { body: '{', headers })).body.error);
        refused.push(unknown.body.error);
      }

      expect(new Set(refused)).toEqual(new Set(['invalid_query', 'malformed_json', 'record_not_found']));
    });

    it.each(['post', 'page', ...DECLARED_TYPES])('the records of %s', async (type) => {
      await goThroughRecords(talk, type);
    });

    it('expanded relations and parts of records', async () => {
      const company = (await createRecord(talk, 'a-b', { title: 'Acme' })).id;
      const person = (await createRecord(talk, 'person', { title: 'Ana', email: 'ana@example.org', employer: company }))
        .id;
      await talk.call(`PATCH /api/cms/a-b/${company}`, { body: { manager: person } });
      const { id } = await createRecord(talk, 'every-kind', { ...everyKind(7), author: person, related: [] });
      await talk.call(`PATCH /api/cms/every-kind/${id}`, { body: { related: [{ id, type: 'every-kind' }] } });

      const query = 'expand=author.employer,related&fields=id,author,related';
      const one = await talk.expectStatus(200, `GET /api/cms/every-kind/${id}?${query}`);
      const list = await talk.expectStatus(200, `GET /api/cms/every-kind?${query}&filter[rating]=5&sort=-price,title`);

      expect(one.body.data.author.employer.title).toBe('Acme');
      expect(one.body.data.related[0].title).toBe('Record 7');
      expect(list.body.data).toContainEqual(one.body.data);
      await talk.expectStatus(200, 'GET /api/cms/every-kind?count=none&per_page=1');
    });

    it('the content types', async () => {
      await goThroughTypes(talk);
    });

    it.each(['post', 'page', ...DECLARED_TYPES])('the revisions and the export of %s', async (type) => {
      await goThroughRevisions(talk, type);
      await goThroughDamage(talk, service, type);
      await goThroughExports(talk, type);
    });

    it.each(['post', 'page', ...DECLARED_TYPES])('the working copies of %s, and what publishes it', async (type) => {
      await goThroughPublishing(talk, service, type);
    });

    it('the list of working copies', async () => {
      await goThroughDraftList(talk);
    });

    it('what is done with many records', async () => {
      await goThroughBulk(talk);
    });

    it('the terms', async () => {
      await goThroughTerms(talk);
    });

    it('the taxonomies', async () => {
      await goThroughTaxonomies(talk);
    });

    it('the search', async () => {
      await goThroughSearch(talk);
    });

    it('passwords, sessions and the keys of their tokens', async () => {
      await goThroughSignIn(talk, service);
    });

    it('the API tokens', async () => {
      await goThroughTokens(talk, service);
      await goThroughOwnTokens(talk, service);
      await goThroughAudit(talk);
    });

    it('the identities of users', async () => {
      await goThroughIdentities(talk, service);
    });

    it('the users', async () => {
      await goThroughUsers(talk);
    });

    it('the identity providers', async () => {
      await goThroughProviders(contract);
    });

    it('what comes by mail', async () => {
      await goThroughMailSignIn(contract);
      await goThroughSecurity(contract);
    });

    it('what gateways ask', async () => {
      await goThroughGateway(contract);
    });

    it('the sitemap', async () => {
      await goThroughSitemap(talk);
    });

    it('all of them together: no answer in it was made up', () => {
      expect(contract.unseen().filter((one) => !NOT_MADE_HERE.test(one))).toEqual([]);
    });
  });

  describe('follows the content types', () => {
    const PATH = '/api/cms/quick-note';

    it('at once: a new type is in it, changed as it changes, and gone when it is deleted', async () => {
      await service.http().post('/api/admin/types').send({ name: 'quick-note', label: 'Quick note' });
      const made = await read();
      await service
        .http()
        .put('/api/admin/types/quick-note')
        .send({ fields: [{ name: 'mood', type: 'string' }] });
      const changed = await read();
      await service.http().delete('/api/admin/types/quick-note');
      const gone = await read();

      expect(made.paths).toHaveProperty([`${PATH}/{id}`, 'put', 'operationId'], 'updateQuickNote');
      expect(made.components?.schemas).not.toHaveProperty(['QuickNote', 'properties', 'mood']);
      expect(changed.components?.schemas).toHaveProperty(['QuickNote', 'properties', 'mood']);
      expect(changed.components?.schemas).toHaveProperty(['QuickNoteCreate', 'properties', 'mood']);
      expect(JSON.stringify(gone)).not.toMatch(/quick-?note/i);
    });
  });
});
