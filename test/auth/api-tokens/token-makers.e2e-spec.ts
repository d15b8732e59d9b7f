import { Reads } from '../../../src/database/statements/reads.js';
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
}

describe('Who makes, replaces and ends API tokens', () => {
  let service: TestApp;
  let twin: TestApp;
  let session: string;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    twin = await twinOf(service);
    session = (await signedIn(service, await aPerson(service, { role: 'admin' }))).token;
  });

  afterAll(async () => {
    await twin.close();
    await service.close();
  });

  const SCOPES = ['tokens:write', 'records:read'];
  const issue = async (order: object = {}, maker?: string): Promise<Issued> => {
    const body = { name: 'made', scopes: SCOPES, ...order };
    return (await service.http(maker).post(ROUTE).send(body).expect(201)).body.data;
  };
  const statusWith = async (token: string): Promise<number> => (await service.http(token).get(ROUTE)).status;
  const rotate = (id: number, by?: string) => service.http(by).post(`${ROUTE}/${id}/rotate`);

  it.each(['personal', 'service'])('a %s token makes none and replaces none, itself neither', async (kind) => {
    const { id, token } = await issue({ kind, scopes: ['*'] }, session);
    const other = await issue();
    const count = () => service.app.get(Reads).select('SELECT id FROM api_tokens');
    const before = await count();

    expectError(await service.http(token).post(ROUTE).send({ name: 'more', scopes: SCOPES }), 'insufficient_scope');
    for (const one of [id, other.id]) expectError(await rotate(one, token), 'insufficient_scope');

    expect(await count()).toEqual(before);
    expect([await statusWith(token), await statusWith(other.token)]).toEqual([200, 200]);
  });

  it('a token ends itself and others that may do no more', async () => {
    const [manager, other, strong] = [
      await issue(),
      await issue({ scopes: ['records:read'] }),
      await issue({ scopes: ['*'] }),
    ];

    expectError(await service.http(manager.token).delete(`${ROUTE}/${strong.id}`), 'insufficient_scope');
    await service.http(manager.token).delete(`${ROUTE}/${other.id}`).expect(204);
    await service.http(manager.token).delete(`${ROUTE}/${manager.id}`).expect(204);

    expect(await statusWith(strong.token)).toBe(200);
  });

  it('only its owner replaces a personal token', async () => {
    const { id } = await issue({}, session);

    expectError(await rotate(id), 'insufficient_scope');
    await rotate(id, session).expect(200);
  });

  it('a user has at most 100 living ones, however many are asked for together', async () => {
    const maker = (await signedIn(service, await aPerson(service, { role: 'admin' }))).token;
    const make = (instance: TestApp) =>
      instance
        .http(maker)
        .post(ROUTE)
        .send({ name: 'one of many', scopes: ['records:read'] });
    for (let made = 0; made < 98; made += 7) {
      await Promise.all(Array.from({ length: 7 }, () => make(service).expect(201)));
    }

    const answers = await Promise.all([service, twin, service, twin, service, twin].map(make));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expectError(answers.find(({ status }) => status === 409) ?? (await make(service)), 'too_many_tokens');
  });

  it('the audit has until when a token lives and whose it is', async () => {
    const expires = new Date(Date.now() + DAY).toISOString();
    await issue({ name: 'noted', expires_at: expires });

    const { body } = await service.http().get('/api/admin/audit?event=token.created').expect(200);

    expect(body.data[0].details).toMatchObject({ name: 'noted', kind: 'service', expires_at: expires });
  });
});
