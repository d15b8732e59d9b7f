import { Reads } from '../../../src/database/statements/reads.js';
import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { aPerson, signedIn } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { twinOf } from '../../support/twin.js';

const ROUTE = '/api/admin/tokens';
const DAY = 86_400_000;

interface Issued {
  readonly id: number;
  readonly token: string;
  readonly expires_at: string | null;
  readonly parent_id: number | null;
}

describe('API tokens made with API tokens', () => {
  let service: TestApp;
  let twin: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    twin = await twinOf(service);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await twin.close();
    await service.close();
  });

  const SCOPES = ['tokens:write', 'records:read'];
  const issue = async (order: object = {}, maker?: string): Promise<Issued> => {
    const body = { name: 'chain', scopes: SCOPES, ...order };
    return (await service.http(maker).post(ROUTE).send(body).expect(201)).body.data;
  };
  const statusWith = async (token: string, instance = service): Promise<number> =>
    (await instance.http(token).get(ROUTE)).status;
  const inADay = () => new Date(Date.now() + DAY).toISOString();

  async function chain(): Promise<Issued[]> {
    const root = await issue();
    const child = await issue({}, root.token);
    const grandchild = await issue({}, child.token);
    return [root, child, grandchild];
  }

  it('know their maker, and end with the root, three deep and in another instance', async () => {
    const [root, child, grandchild] = (await chain()) as [Issued, Issued, Issued];
    expect([root.parent_id, child.parent_id, grandchild.parent_id]).toEqual([null, root.id, child.id]);
    for (const { token } of [root, child, grandchild]) expect(await statusWith(token, twin)).toBe(200);

    await service.http().delete(`${ROUTE}/${root.id}`).expect(204);

    for (const { token } of [root, child, grandchild]) expect(await statusWith(token)).toBe(401);
    putClockAhead(twin, 4.1);
    for (const { token } of [root, child, grandchild]) expect(await statusWith(token, twin)).toBe(401);
  });

  it('go on with the successor of their maker, and end with it', async () => {
    const [root, child, grandchild] = (await chain()) as [Issued, Issued, Issued];

    const { body } = await service.http().post(`${ROUTE}/${root.id}/rotate`).expect(200);
    await service.http().delete(`${ROUTE}/${root.id}`).expect(204);
    expect([await statusWith(child.token), await statusWith(grandchild.token)]).toEqual([200, 200]);

    await service.http().delete(`${ROUTE}/${body.data.id}`).expect(204);
    expect([await statusWith(child.token), await statusWith(grandchild.token)]).toEqual([401, 401]);
  });

  it('live no longer than their maker, whatever is asked for', async () => {
    const root = await issue({ expires_at: inADay() });

    const child = await issue({ expires_at: 'never' }, root.token);
    const { body } = await service.http(child.token).post(`${ROUTE}/${child.id}/rotate`).expect(200);

    expect(child.expires_at).toBe(root.expires_at);
    expect(body.data.expires_at).toBe(root.expires_at);
  });

  it('do not lengthen their own life by rotating themselves, nor that of what they made', async () => {
    const root = await issue({ expires_at: inADay() });
    putClockAhead(service, 43_200);

    const { body } = await service.http(root.token).post(`${ROUTE}/${root.id}/rotate`).expect(200);

    expect(body.data.expires_at).toBe(root.expires_at);
  });

  it('are cut with a successor that lives shorter than its predecessor', async () => {
    const strict = await twinOf(service, { MAX_TOKEN_DAYS: '1' });
    const session = await signedIn(service, await aPerson(service, { role: 'admin' }));
    const root = await issue({ kind: 'personal' }, session.token);
    const child = await issue({}, root.token);

    const rotated = await strict.http(session.token).post(`${ROUTE}/${root.id}/rotate`).expect(200);

    const { body } = await service.http().get(`${ROUTE}/${child.id}`).expect(200);
    expect(body.data.expires_at).toBe(rotated.body.data.expires_at);
    await strict.close();
  });

  it('give a leaked token no successor that outlives its end', async () => {
    const leaked = await issue();
    const { body } = await service.http(leaked.token).post(`${ROUTE}/${leaked.id}/rotate`).expect(200);

    await service.http().delete(`${ROUTE}/${leaked.id}`).expect(204);

    expect([await statusWith(leaked.token), await statusWith(body.data.token)]).toEqual([401, 401]);
  });

  it('are never left over where a maker is revoked while it makes them', async () => {
    const rounds = Array.from({ length: 8 }, () => issue());
    for (const maker of await Promise.all(rounds)) {
      const [revoked, ...made] = await Promise.all([
        service.http().delete(`${ROUTE}/${maker.id}`),
        ...[service, twin, twin].map((instance) =>
          instance.http(maker.token).post(ROUTE).send({ name: 'late', scopes: SCOPES }),
        ),
      ]);
      expect(revoked.status).toBe(204);
      for (const { status, body } of made) {
        expect([201, 401]).toContain(status);
        if (status === 201) expect(await statusWith(body.data.token)).toBe(401);
      }
    }
    const living = await service.app
      .get(Reads)
      .select("SELECT id FROM api_tokens WHERE name = 'late' AND revoked_at IS NULL");
    expect(living).toEqual([]);
  });

  describe('Whose tokens one may end and replace', () => {
    it('refuses a token that may do more than the caller', async () => {
      const manager = await issue();
      const strong = await issue({ scopes: ['*'] });

      expectError(await service.http(manager.token).delete(`${ROUTE}/${strong.id}`), 'insufficient_scope');
      expectError(await service.http(manager.token).post(`${ROUTE}/${strong.id}/rotate`), 'insufficient_scope');
      expect(await statusWith(strong.token)).toBe(200);
    });

    it('lets a token rotate itself and what it has made, and nothing else, of its owner neither', async () => {
      const session = await signedIn(service, await aPerson(service, { role: 'admin' }));
      const narrow = await issue({ kind: 'personal', scopes: ['tokens:write'] }, session.token);
      const wide = await issue({ kind: 'personal', scopes: ['*'] }, session.token);
      const child = await issue({ scopes: ['tokens:write'] }, narrow.token);
      const rotate = (token: string, id: number) => service.http(token).post(`${ROUTE}/${id}/rotate`);

      expectError(await rotate(narrow.token, wide.id), 'insufficient_scope');
      expectError(await rotate(child.token, narrow.id), 'insufficient_scope');
      expectError(await rotate(wide.token, narrow.id), 'insufficient_scope');
      expect((await rotate(narrow.token, child.id)).status).toBe(200);
      expect((await rotate(narrow.token, narrow.id)).status).toBe(200);
      expect(await statusWith(wide.token)).toBe(200);
    });

    it('lets a token end itself and others that may do no more', async () => {
      const [manager, other] = [await issue(), await issue({ scopes: ['records:read'] })];

      await service.http(manager.token).delete(`${ROUTE}/${other.id}`).expect(204);
      await service.http(manager.token).delete(`${ROUTE}/${manager.id}`).expect(204);
    });

    it('lets only the owner rotate a personal token', async () => {
      const owner = await aPerson(service, { role: 'admin' });
      const session = await signedIn(service, owner);
      const order = { name: 'laptop', scopes: ['*'] };
      const { body } = await service.http(session.token).post(ROUTE).send(order).expect(201);

      expectError(await service.http().post(`${ROUTE}/${body.data.id}/rotate`), 'insufficient_scope');
      await service.http(session.token).post(`${ROUTE}/${body.data.id}/rotate`).expect(200);
    });
  });

  it('has at most 100 living ones of one owner or maker, however many are asked for together', async () => {
    const maker = await issue();
    const make = (instance: TestApp) =>
      instance
        .http(maker.token)
        .post(ROUTE)
        .send({ name: 'one of many', scopes: ['records:read'] });
    for (let made = 0; made < 98; made += 7) {
      await Promise.all(Array.from({ length: 7 }, () => make(service).expect(201)));
    }

    const answers = await Promise.all([service, twin, service, twin, service, twin].map(make));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expectError(answers.find(({ status }) => status === 409) ?? (await make(service)), 'too_many_tokens');
  });

  it('keeps the records of a token through its rotations', async () => {
    const scopes = ['records:create', 'records:update_own', 'records:read', 'drafts:read'];
    const { id, token } = await issue({ scopes });
    const made = await service.http(token).post('/api/cms/post').send({ title: 'Own' }).expect(201);
    const once = await service.http().post(`${ROUTE}/${id}/rotate`).expect(200);
    const twice = await service.http().post(`${ROUTE}/${once.body.data.id}/rotate`).expect(200);

    const path = `/api/cms/post/${made.body.data.id}`;
    await service.http(twice.body.data.token).patch(path).send({ body: 'by its successor' }).expect(200);
  });

  it('has in the audit until when a token lives, whose it is and what it was made with', async () => {
    const maker = await issue({ expires_at: inADay() });
    await issue({ name: 'noted' }, maker.token);

    const { body } = await service.http().get('/api/admin/audit?event=token.created').expect(200);

    expect(body.data[0].details).toMatchObject({
      name: 'noted',
      kind: 'service',
      expires_at: maker.expires_at,
      parent_id: maker.id,
    });
  });

  it('end with a token that has rotated itself and is revoked, however often and when', async () => {
    const [root, child] = (await chain()) as [Issued, Issued, Issued];
    const rotate = async ({ token, id }: Issued): Promise<Issued> =>
      (await service.http(token).post(`${ROUTE}/${id}/rotate`).expect(200)).body.data;
    const once = await rotate(child);
    expectError(await service.http(once.token).post(`${ROUTE}/${once.id}/rotate`), 'too_many_requests');
    putClockAhead(service, 3_601);
    const twice = await rotate(once);
    const made = await issue({}, twice.token);
    putClockAhead(service, 90_002);
    expect([await statusWith(child.token), await statusWith(made.token)]).toEqual([401, 200]);

    await service.http().delete(`${ROUTE}/${root.id}`).expect(204);

    for (const { token } of [once, twice, made]) expect(await statusWith(token)).toBe(401);
  });
});
