import { call, Child, production } from '../support/child-service.js';
import { waitFor } from '../support/mailbox.js';
import { OwnServer } from '../support/own-server.js';

const NAMES = ['one', 'other'] as const;
type Name = (typeof NAMES)[number];

/** Each instance signs in to the server by an account of its own, so that the server says which of them has a lock. */
describe('Background jobs of two instances on one server', () => {
  let server: OwnServer;
  let instances: Record<Name, Child>;

  const urlOf = (name: Name): string => `mysql://${name}@127.0.0.1:${server.port}/cms`;
  const start = (name: Name): Child => new Child('main.js', [], production({ url: urlOf(name) }));
  const ask = async <Row>(sql: string): Promise<Row | undefined> => ((await server.as('root', sql)) as Row[])[0];

  beforeAll(async () => {
    server = await OwnServer.start();
    for (const name of NAMES) {
      await server.as('root', `CREATE USER ${name}@'127.0.0.1'`);
      await server.as('root', `GRANT ALL ON cms.* TO ${name}@'127.0.0.1'`);
    }
    await new Child('cli.js', ['migrate'], production({ url: urlOf('one') })).ended;
  });

  beforeEach(async () => {
    instances = { one: start('one'), other: start('other') };
    await Promise.all(NAMES.map((name) => instances[name].address()));
  });

  afterEach(() => Promise.all(NAMES.map((name) => instances[name].kill('SIGKILL'))));

  afterAll(() => server.stop());

  /** The instance that folds changes of counts. */
  const holder = async (): Promise<Name | null> => {
    const row = await ask<{ user: Name }>(
      "SELECT user FROM information_schema.processlist WHERE id = IS_USED_LOCK('cms counts')",
    );
    return row?.user ?? null;
  };
  const others = ({ first }: { first: Name }): Name => (first === 'one' ? 'other' : 'one');
  const foldedThrough = async (name: Name): Promise<void> => {
    const answer = await call(await instances[name].address(), 'POST', '/api/cms/post', { title: `Made by ${name}` });
    expect(answer.status).toBe(201);
    await waitFor(async () => {
      const row = await ask<{ n: number }>('SELECT COUNT(*) AS n FROM cms.record_deltas');
      return row?.n === 0 ? true : null;
    }, 'the changes of counts to be folded');
  };

  it('are done by one of them, and by the other one as soon as the first is killed', async () => {
    const first = await waitFor(holder, 'an instance to have the lock');
    await foldedThrough(others({ first }));
    expect(await holder()).toBe(first);

    await instances[first].kill('SIGKILL');

    const second = others({ first });
    await waitFor(async () => ((await holder()) === second ? true : null), 'the other instance to have the lock');
    await foldedThrough(second);
  });

  it('go to the other one when the first stands still for longer than the server waits for it', async () => {
    const first = await waitFor(holder, 'an instance to have the lock');

    instances[first].pause();

    const second = others({ first });
    await waitFor(async () => ((await holder()) === second ? true : null), 'the other instance to have the lock');
    await foldedThrough(second);
    instances[first].resume();
    await foldedThrough(first);
    expect(await holder()).toBe(second);
  });
});
