import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

describe('Content types', () => {
  let service: TestApp;
  const { freshName, aTypeWith, aRecord } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  describe('GET /api/cms/types', () => {
    it('lists post and page on a fresh database', async () => {
      const { status, body, headers } = await service.http().get('/api/cms/types');

      expect(status).toBe(200);
      expect(headers.etag).toBeDefined();
      expect(body.meta).toEqual({ total: 2, per_page: 2, current_page: 1, last_page: 1 });
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['page', 'post']);
      expect(body.data[1]).toMatchObject({
        label: 'Post',
        label_plural: 'Posts',
        taxonomies: ['category', 'tag'],
        url_path: '/post/{slug}',
        sitemap: true,
        body: 'markdown',
        revisions: { keep: 100 },
        fields: [],
        counts: { draft: 0, published: 0, archived: 0 },
        version: 1,
      });
    });

    it('answers 304 to a client that has it', async () => {
      const { headers } = await service.http().get('/api/cms/types');

      await service.http().get('/api/cms/types').set('If-None-Match', String(headers.etag)).expect(304);
    });

    it('refuses parameters it does not know', async () => {
      const { status, body } = await service.http().get('/api/cms/types?page=1');

      expect([status, body.error]).toEqual([400, 'invalid_query']);
    });

    it('asks for a credential', async () => {
      await service.anonymous().get('/api/cms/types').expect(401);
    });

    it.each([
      ['post', '/api/cms/types'],
      ['put', '/api/cms/types/post'],
      ['delete', '/api/cms/types/post'],
    ] as const)('does not take %s %s', async (method, path) => {
      const { status, body, headers } = await service.http()[method](path).send({});

      expect([status, body.error, headers.allow]).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
      expect(body.message).toBe(`${method.toUpperCase()} is not allowed here. Use GET or HEAD.`);
    });
  });

  describe('GET /api/cms/types/{name}', () => {
    it('counts what the caller may see', async () => {
      const type = await aTypeWith([]);
      await aRecord(type);
      await aRecord(type, { status: 'published' });

      const [all, published] = await Promise.all(
        [TOKENS.editor, TOKENS.reader].map((token) => service.http(token).get(`/api/cms/types/${type}`)),
      );

      expect(all?.body.data.counts).toEqual({ draft: 1, published: 1, archived: 0 });
      expect(published?.body.data.counts).toEqual({ published: 1 });
    });

    it.each(['nothing', 'types', '__proto__', '%74ypes', 'Post', 'a'.repeat(65)])(
      'answers 404 for %s',
      async (name) => {
        const { status, body } = await service.http().get(`/api/cms/types/${name}`);

        expect([status, body.error]).toEqual([404, 'type_not_found']);
      },
    );
  });

  describe('POST /api/admin/types', () => {
    it('creates a type, which can be used at once', async () => {
      const name = freshName();

      const { status, body, headers } = await service
        .http()
        .post('/api/admin/types')
        .send({ name, fields: [{ name: 'rating', type: 'integer', min: 1, max: 5, indexed: true, default: 3 }] });

      expect([status, headers.location, headers.etag]).toEqual([201, `/api/cms/types/${name}`, '"1"']);
      expect(body.data).toMatchObject({ name, url_path: `/${name}/{slug}`, version: 1 });
      expect(body.data.fields).toEqual([
        {
          id: expect.stringMatching(/^f_[0-9a-z]+$/),
          name: 'rating',
          type: 'integer',
          label: 'Rating',
          required: false,
          min: 1,
          max: 5,
          default: 3,
          unique: false,
          indexed: true,
          searchable: false,
        },
      ]);
      const record = await service.http().post(`/api/cms/${name}`).send({ title: 'x' });
      expect(record.body.data.rating).toBe(3);
    });

    it.each([
      ['types', 'name: reserved'],
      ['__proto__', 'name: pattern'],
      ['Post', 'name: pattern'],
      ['a--b', 'name: pattern'],
      ['a'.repeat(65), 'name: max_length'],
      [undefined, 'name: required'],
      [7, 'name: type'],
    ])('refuses the name %s', async (name, fault) => {
      const answer = await service.http().post('/api/admin/types').send({ name });

      expect(answer.status).toBe(422);
      expect(faultsOf(answer)).toEqual([fault]);
    });

    it.each([
      [{ name: 'title', type: 'string' }, 'name: reserved'],
      [{ name: 'meta', type: 'string' }, 'name: reserved'],
      [{ name: '_x', type: 'string' }, 'name: pattern'],
      [{ name: 'a' }, 'type: required'],
      [{ name: 'a', type: 'media' }, 'type: enum'],
      [{ name: 'a', type: 'string', min: 1 }, 'min: not_applicable'],
      [{ name: 'a', type: 'markdown', indexed: true }, 'indexed: not_applicable'],
      [{ name: 'a', type: 'json', unique: true }, 'unique: not_applicable'],
      [{ name: 'a', type: 'integer', min: 2, max: 1 }, 'min: max'],
      [{ name: 'a', type: 'integer', min: 1.5 }, 'min: type'],
      [{ name: 'a', type: 'date', min: '2024-02-30' }, 'min: type'],
      [{ name: 'a', type: 'string', min_length: 3, max_length: 2 }, 'min_length: max'],
      [{ name: 'a', type: 'string', pattern: '(?=x)' }, 'pattern: pattern'],
      [{ name: 'a', type: 'string', pattern: 'x'.repeat(501) }, 'pattern: max_length'],
      [{ name: 'a', type: 'text', pattern: '(?i)[ab]*a[ab]{300}c[ab]{300}' }, 'pattern: max'],
      [{ name: 'a', type: 'enum' }, 'values: required'],
      [{ name: 'a', type: 'enum', values: ['x', 'x'] }, 'values: repeated'],
      [{ name: 'a', type: 'enum', values: ['x'], default: 'y' }, 'default: enum'],
      [{ name: 'a', type: 'integer', max: 5, default: 6 }, 'default: max'],
      [{ name: 'a', type: 'list' }, 'of: required'],
      [{ name: 'a', type: 'list', of: 'integer', pattern: 'x' }, 'pattern: not_applicable'],
      [{ name: 'a', type: 'relation' }, 'to: required'],
      [{ name: 'a', type: 'relation', to: ['nothing'] }, 'to: type_not_found'],
      [{ name: 'a', type: 'relation', to: ['post'], many: true, unique: true }, 'unique: not_applicable'],
      [{ name: 'a', type: 'string', secret: true }, 'secret: unknown'],
      [{ name: 'a', type: 'string', id: 'f_zzz' }, 'id: unknown'],
    ])('refuses the field %j', async (field, fault) => {
      const answer = await service
        .http()
        .post('/api/admin/types')
        .send({ name: freshName(), fields: [field] });

      expect(answer.status).toBe(422);
      expect(faultsOf(answer)).toEqual([`fields.0.${fault}`]);
    });

    it.each([
      [{ type: 'relation', to: ['post'], many: true, unique: true }, 'unique', 'relation with many: true'],
      [{ type: 'relation', to: ['post'], max_length: 2 }, 'max_length', 'relation'],
      [{ type: 'string', many: true }, 'many', 'string'],
      [{ type: 'list', of: 'integer', pattern: 'x' }, 'pattern', 'list of integer'],
    ])('names the kind of the field %j, to which a rule does not apply', async (field, rule, kind) => {
      const body = { name: freshName(), fields: [{ name: 'a', ...field }] };

      const answer = await service.http().post('/api/admin/types').send(body);

      const message = `fields.0.${rule} does not apply to a field of the kind ${kind}.`;
      expect(answer.body.details).toMatchObject([{ rule: 'not_applicable', message }]);
    });

    it('reports all faults at once', async () => {
      const answer = await service
        .http()
        .post('/api/admin/types')
        .send({
          name: 'new',
          url_path: '/x',
          version: 3,
          fields: [{ name: 'a', type: 'string', min: 1 }, { name: 'a', type: 'string' }, 7],
        });

      expect(faultsOf(answer).sort()).toEqual([
        'fields.0.min: not_applicable',
        'fields.1.name: repeated',
        'fields.2: type',
        'name: reserved',
        'url_path: pattern',
        'version: read_only',
      ]);
    });

    it('says in words what an address is made of', async () => {
      const answer = await service.http().post('/api/admin/types').send({ name: 'shop', url_path: 'shop/:slug' });

      expect(answer.body.details).toMatchObject([
        { field: 'url_path', rule: 'pattern', message: expect.stringMatching(/begins with a slash.*\/blog\/\{slug\}/) },
      ]);
    });

    it.each([
      ['a list', []],
      ['a text', 'text'],
      ['fields that are no list', { name: 'x', fields: {} }],
      ['fields that are numbers', { name: 'x', fields: Array(200).fill(1) }],
      [
        'too many fields',
        { name: 'x', fields: Array.from({ length: 201 }, (_, at) => ({ name: `a${at}`, type: 'json' })) },
      ],
    ])('answers 422 to %s', async (_, body) => {
      const { status } = await service
        .http()
        .post('/api/admin/types')
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body));

      expect(status).toBe(422);
    });

    it('lets one of many win who create the same type together', async () => {
      const name = freshName();

      const answers = await Promise.all(
        Array.from({ length: 10 }, () => service.http().post('/api/admin/types').send({ name })),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
      expect(answers.find(({ status }) => status === 409)?.body.error).toBe('type_exists');
    });

    it('may point a relation to the type itself', async () => {
      const name = freshName();

      await aTypeWith([{ name: 'parent', type: 'relation', to: [name] }], name);
    });

    it('needs the scope types:write', async () => {
      const { status, body } = await service.http(TOKENS.editor).post('/api/admin/types').send({ name: 'x' });

      expect([status, body.error]).toEqual([403, 'insufficient_scope']);
    });
  });

  describe('GET /api/admin/types', () => {
    it('lists definitions and reads one with its version', async () => {
      const type = await aTypeWith([]);

      const list = await service.http().get('/api/admin/types');
      const one = await service.http().get(`/api/admin/types/${type}`);

      expect(list.body.data.map(({ name }: { name: string }) => name)).toContain(type);
      expect(one.headers.etag).toBe('"1"');
      expect(one.body.data).not.toHaveProperty('counts');
    });
  });
});
