import { pino } from 'pino';
import { OPERATOR, UsersDatabase } from '../../../test/support/users-database.js';
import { readSettings } from '../../config/settings.js';
import { Passwords, PwnedPasswords } from '../passwords/passwords.js';
import type { Account } from '../rows/account.js';
import type { UsersService } from '../users.service.js';

const NOTHING_ELSE = () => Promise.resolve();

describe('The last admin', () => {
  let database: UsersDatabase;
  let users: UsersService;

  beforeAll(async () => {
    database = await UsersDatabase.open();
    users = database.service(
      new Passwords(readSettings('test', {}), new PwnedPasswords(readSettings('test', {}), pino({ level: 'silent' }))),
    );
  });

  beforeEach(() => database.clear());

  afterAll(() => database.drop());

  let count = 0;
  const anAdmin = (): Promise<Account> =>
    users.create({ name: 'Ann', email: `ann${++count}@example.com`, role: 'admin' }, OPERATOR);

  const ends: [string, (id: number) => Promise<unknown>][] = [
    ['deleted', (id) => users.remove(id, OPERATOR, NOTHING_ELSE)],
    ['demoted', (id) => users.update(id, { role: 'editor' }, OPERATOR)],
    ['disabled', (id) => users.disable(id, OPERATOR)],
  ];

  it.each(ends)('cannot be %s', async (_, end) => {
    const admin = await anAdmin();
    const retired = await anAdmin();
    await users.disable(retired.id, OPERATOR);

    await expect(end(admin.id)).rejects.toMatchObject({ error: 'last_admin' });

    expect({ ...(await users.require(admin.id)) }).toEqual({ ...admin });
  });

  it('may change everything else', async () => {
    const { id } = await anAdmin();

    const { user } = await users.update(id, { name: 'Ada', role: 'admin', disabled: false }, OPERATOR);

    expect(user.name).toBe('Ada');
  });

  it.each(ends)('stays when all admins are %s at once', async (_, end) => {
    for (let round = 0; round < 5; round += 1) {
      const admins = [await anAdmin(), await anAdmin(), await anAdmin()];
      const before = (await users.list()).filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null);

      const answers = await Promise.allSettled(before.map(({ id }) => end(id)));

      const refusals = answers.filter(({ status }) => status === 'rejected');
      const left = (await users.list()).filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null);
      expect(before.length).toBeGreaterThanOrEqual(admins.length);
      expect(refusals).toMatchObject([{ reason: { error: 'last_admin' } }]);
      expect(left).toHaveLength(1);
    }
  });
});
