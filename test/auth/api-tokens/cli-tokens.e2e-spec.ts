import { UsersService } from '../../../src/users/users.service.js';
import { runner } from '../../support/cli-runner.js';
import { aPerson, signedIn } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('The command token list', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp();
    run = runner({ DATABASE_URL: service.database.url });
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => service.close());

  it('shows what kind a token is and whose', async () => {
    const ann = await aPerson(service, { role: 'admin' });
    const bea = await aPerson(service, { role: 'admin' });
    const order = { scopes: ['records:read'] };
    for (const [person, name, kind] of [
      [ann, 'of-ann', 'personal'],
      [bea, 'of-bea', 'service'],
    ] as const) {
      const { token } = await signedIn(service, person);
      await service
        .http(token)
        .post('/api/admin/tokens')
        .send({ ...order, name, kind })
        .expect(201);
    }
    await service.http().delete(`/api/users/${bea.id}`).expect(204);
    await run(['token', 'create', '--name', 'unowned', '--scopes', 'records:read']);

    const { out } = await run('token list');

    expect(out).toMatch(new RegExp(`^\\d+ +cms_\\w{4} +of-ann +personal +${ann.email} +until `, 'm'));
    expect(out).toMatch(new RegExp(`^\\d+ +cms_\\w{4} +of-bea +service +user ${bea.id}, gone +until `, 'm'));
    expect(out).toMatch(/^\d+ +cms_\w{4} +unowned +service +- +until /m);
  });

  it('reads no users but the owners of the tokens that it shows', async () => {
    await aPerson(service);
    const [all, some] = [jest.spyOn(UsersService.prototype, 'list'), jest.spyOn(UsersService.prototype, 'byIds')];

    const { out } = await run('token list --json');

    const owners = (JSON.parse(out) as { owner_id: number | null }[]).flatMap(({ owner_id: id }) => id ?? []);
    expect(all).not.toHaveBeenCalled();
    expect(some.mock.calls.flatMap(([ids]) => ids).sort()).toEqual([...new Set(owners)].sort());
  });
});
