import { OwnServer } from '../../support/own-server.js';
import { runner } from '../../support/cli-runner.js';

describe('doctor on a server of its own', () => {
  let server: OwnServer;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    server = await OwnServer.start();
    run = runner({ DATABASE_URL: server.url });
    expect((await run('migrate')).code).toBe(0);
    expect((await run('doctor')).out).toMatch(/^ok {4}servers +127\.0\.0\.1:\d+: .*MariaDB/m);
  });
  afterAll(() => server.stop());

  it.each([
    [
      'it has too few connections for the living instances',
      'SET GLOBAL max_connections = 20',
      'SET GLOBAL max_connections = 151',
      /^fail {2}servers +.*max_connections is 20, and one instance may open 25: raise it, or lower DATABASE_POOL/m,
    ],
    [
      'it takes no writes',
      'SET GLOBAL read_only = 1',
      'SET GLOBAL read_only = 0',
      /^fail {2}servers +.*it takes no writes \(read_only\)/m,
    ],
    [
      'its clock is two minutes ahead',
      `SET GLOBAL init_connect = 'SET timestamp = UNIX_TIMESTAMP() + 120'`,
      `SET GLOBAL init_connect = ''`,
      /^fail {2}clock +The clocks of this machine and the database differ by 1[12]\d\.\d s\. Set both by NTP/m,
    ],
  ])('says that %s', async (_, breaks, mends, line) => {
    await server.as('root', breaks);
    const { code, out } = await run('doctor');
    await server.as('root', mends);

    expect(out).toMatch(line);
    expect(code).toBe(1);
    expect((await run('doctor')).code).toBe(0);
  });
});
