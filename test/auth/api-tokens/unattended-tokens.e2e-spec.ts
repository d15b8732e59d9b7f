import { runner } from '../../support/cli-runner.js';
import { aPerson, signedIn } from '../../support/sign-in.js';
import { API_TOKENS, startTestApp, type TestApp } from '../../support/test-app.js';

const ROUTE = '/api/admin/tokens';

describe('A service token whose responsible user is gone or disabled', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const doctor = () => runner({ DATABASE_URL: service.database.url })('doctor');
  /** What another process on the database warns of at its start, to which this belongs. */
  const warnings = async (sentence: string, environment: Record<string, string> = {}): Promise<unknown[]> => {
    const lines: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    try {
      await (await startTestApp({ DATABASE_URL: service.database.url, LOG_LEVEL: 'warn', ...environment })).close();
    } finally {
      write.mockRestore();
    }
    return lines.filter((line) => line.includes(sentence)).map((line) => JSON.parse(line) as unknown);
  };
  /** An administrator and the id of a token that was made in their session. */
  const withToken = async (kind: 'personal' | 'service', order: object = {}) => {
    const person = await aPerson(service, { role: 'admin' });
    const { token } = await signedIn(service, person);
    const body = { name: 'deploy', scopes: ['records:read'], kind, ...order };
    const { data } = (await service.http(token).post(ROUTE).send(body).expect(201)).body;
    return { person, id: data.id as number, hint: data.hint as string };
  };

  it('is named by doctor with what to do, and counted in one warning at start', async () => {
    await withToken('service');
    expect([(await doctor()).code, await warnings('service tokens live on')]).toEqual([0, []]);
    const [gone, disabled] = [await withToken('service'), await withToken('service')];
    const [ended, personal] = [await withToken('service'), await withToken('personal')];
    await service.http().delete(`${ROUTE}/${ended.id}`).expect(204);
    for (const { person } of [gone, ended, personal])
      await service.http().delete(`/api/users/${person.id}`).expect(204);
    await service.http().put(`/api/users/${disabled.person.id}`).send({ disabled: true }).expect(200);

    const { code, out } = await doctor();

    expect(code).toBe(1);
    expect(out.split('\n').filter((line) => line.includes(' tokens '))).toEqual([
      expect.stringMatching(/^fail {2}tokens +Service tokens live on .*: 2\. Revoke those/),
      expect.stringContaining(`token ${gone.id} "deploy" (${gone.hint}…): user ${gone.person.id} is gone`),
      expect.stringContaining(
        `token ${disabled.id} "deploy" (${disabled.hint}…): user ${disabled.person.id} is disabled`,
      ),
    ]);
    expect(await warnings('service tokens live on')).toEqual([expect.objectContaining({ tokens: 2 })]);
  });

  it('or that has ended with a changed secret of API_TOKENS is named by both', async () => {
    const order = { name: 'website', scopes: ['records:read'], kind: 'service' };
    const { data } = (await service.http().post(ROUTE).send(order).expect(201)).body;
    const changed = { API_TOKENS: 'admin=another-admin-token-0123456789' };
    const linesOf = async (environment: Record<string, string>) =>
      (await runner({ DATABASE_URL: service.database.url, ...environment })('doctor')).out
        .split('\n')
        .filter((line) => line.includes('API_TOKENS'));

    const sentence = `1 token ends with secrets that are not in API_TOKENS any more: website (${data.id}).`;
    expect(await linesOf({ API_TOKENS })).toEqual([]);
    expect(await linesOf(changed)).toEqual([expect.stringMatching(/^fail {2}tokens/)]);
    expect(await linesOf(changed)).toEqual([expect.stringContaining(sentence)]);
    expect(await warnings('are not in API_TOKENS')).toEqual([]);
    expect(await warnings('are not in API_TOKENS', changed)).toEqual([
      expect.objectContaining({ msg: expect.stringContaining(sentence) }),
    ]);
  });
});
