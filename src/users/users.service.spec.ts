import { pino } from 'pino';
import { OPERATOR, UsersDatabase } from '../../test/support/users-database.js';
import { readSettings } from '../config/settings.js';
import { Passwords, PwnedPasswords } from './passwords/passwords.js';
import { UserAuthority } from './roles/user-authority.js';
import type { Account } from './rows/account.js';
import type { CreateUserDto, UpdateUserDto } from './user.dto.js';
import type { UsersService } from './users.service.js';

const PASSWORD = 'a sentence of my own making';
const NOTHING_ELSE = () => Promise.resolve();

describe('UsersService', () => {
  let database: UsersDatabase;
  let users: UsersService;
  const passwords = new Passwords(
    readSettings('test', {}),
    new PwnedPasswords(readSettings('test', {}), pino({ level: 'silent' })),
  );

  beforeAll(async () => {
    database = await UsersDatabase.open();
    users = database.service(passwords);
  });

  beforeEach(() => database.clear());

  afterAll(() => database.drop());

  let count = 0;
  const aUser = (input: Partial<CreateUserDto> = {}): Promise<Account> =>
    users.create({ name: 'Ann', email: `ann${++count}@example.com`, ...input }, OPERATOR);
  const update = async (id: number, changes: UpdateUserDto): Promise<Account> =>
    (await users.update(id, changes, OPERATOR)).user;

  describe('create', () => {
    it('makes a viewer without a password, enabled, with an address to be verified', async () => {
      const { id } = await aUser({ name: 'Ann', email: 'Ann@Example.com' });

      expect(await users.require(id)).toMatchObject({
        id: expect.any(Number),
        name: 'Ann',
        email: 'Ann@example.com',
        role: 'viewer',
        passwordHash: null,
        emailVerifiedAt: null,
        disabledAt: null,
      });
    });

    it('answers what it stored', async () => {
      const created = await aUser({ password: PASSWORD, role: 'editor' });

      expect({ ...(await users.require(created.id)) }).toEqual({ ...created });
      expect(await passwords.verify(PASSWORD, created.passwordHash)).toBe(true);
    });

    it('refuses an address that is none', async () => {
      await expect(aUser({ email: '"a\r\nb"@example.com' })).rejects.toMatchObject({ error: 'validation_failed' });
    });

    it('refuses another spelling of an address', async () => {
      await aUser({ email: 'ann@example.com' });

      await expect(aUser({ email: 'ANN@EXAMPLE.COM' })).rejects.toMatchObject({ error: 'email_taken' });
    });

    it('lets one of fifty win who want the same address at once', async () => {
      const answers = await Promise.allSettled(Array.from({ length: 50 }, () => aUser({ email: 'ann@example.com' })));
      const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as object] : []));

      expect(refusals).toHaveLength(49);
      expect(refusals.every((refusal) => 'error' in refusal && refusal.error === 'email_taken')).toBe(true);
      expect(await users.list()).toHaveLength(1);
    });
  });

  it('finds a user by any spelling of the address', async () => {
    const { id } = await aUser({ email: 'ann@bücher.example' });

    expect(await users.findByEmail(' ANN@xn--bcher-kva.EXAMPLE ')).toMatchObject({ id });
    expect(await users.findByEmail('bob@example.com')).toBeNull();
    expect(await users.findByEmail('not an address')).toBeNull();
  });

  it('lists all users, oldest first', async () => {
    const made = [await aUser(), await aUser(), await aUser()];

    expect((await users.list()).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  });

  describe('update', () => {
    it('leaves what is not given', async () => {
      const user = await aUser({ name: 'Ann', role: 'editor', password: PASSWORD });

      const changed = await update(user.id, { name: 'Ann Miller' });

      expect({ ...changed }).toEqual({ ...user, name: 'Ann Miller', updatedAt: expect.any(Number) });
      expect(changed.updatedAt).toBeGreaterThan(user.updatedAt);
      expect({ ...(await users.require(user.id)) }).toEqual({ ...changed });
    });

    const SAME: UpdateUserDto[] = [{}, { name: 'Ann' }, { role: 'viewer', disabled: false }, { password: null }];

    it.each(SAME)('writes nothing when nothing changes: %j', async (changes) => {
      const user = await aUser();

      await update(user.id, Object.assign({ email: user.email }, changes));

      expect({ ...(await users.require(user.id)) }).toEqual({ ...user });
    });

    it('asks for a new proof when the address changes, and not when it stays', async () => {
      const user = await aUser();
      await database.verify(user.id);

      const same = await update(user.id, { name: 'Bea', email: user.email });
      const spelled = await update(user.id, { email: user.email.toUpperCase() });
      const other = await update(user.id, { email: 'other@example.com' });

      expect(same.emailVerifiedAt).not.toBeNull();
      expect(spelled).toMatchObject({ emailKey: user.emailKey, emailVerifiedAt: same.emailVerifiedAt });
      expect(spelled.email).not.toBe(user.email);
      expect(other.emailVerifiedAt).toBeNull();
    });

    it('frees the old address and refuses one that another user has', async () => {
      const ann = await aUser({ email: 'ann@example.com' });
      const bob = await aUser({ email: 'bob@example.com' });

      await expect(update(bob.id, { email: 'Ann@example.com' })).rejects.toMatchObject({ error: 'email_taken' });
      await update(ann.id, { email: 'new@example.com' });
      await expect(update(bob.id, { email: 'ann@example.com' })).resolves.toMatchObject({ id: bob.id });
    });

    it('sets, replaces and takes away a password', async () => {
      const { id } = await aUser();

      const { passwordHash } = await update(id, { password: PASSWORD });
      const without = await update(id, { password: null });

      expect(await passwords.verify(PASSWORD, passwordHash)).toBe(true);
      expect(without.passwordHash).toBeNull();
    });

    it('disables once, and enables again', async () => {
      const { id } = await aUser();

      const { user: disabled } = await users.disable(id, OPERATOR);
      const { user: again } = await users.disable(id, OPERATOR);
      const enabled = await update(id, { disabled: false });

      expect(disabled.disabledAt).not.toBeNull();
      expect(again).toMatchObject({ disabledAt: disabled.disabledAt, updatedAt: disabled.updatedAt });
      expect(enabled.disabledAt).toBeNull();
    });

    it('refuses a user who does not exist', async () => {
      await expect(update(9_999_999, { name: 'X' })).rejects.toMatchObject({ error: 'user_not_found' });
    });

    it('loses none of forty changes of different fields at once', async () => {
      const { id } = await aUser();

      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          update(id, index % 2 === 0 ? { name: `Ann ${index}` } : { role: 'author' }),
        ),
      );

      expect(await users.require(id)).toMatchObject({ name: expect.stringMatching(/^Ann \d+$/), role: 'author' });
    });

    it('judges the role that a user has at the moment of the change', async () => {
      const { id } = await aUser();
      const onlyViewers = new UserAuthority({
        kind: 'token',
        id: 1,
        name: 'ci',
        scopes: new Set(['users:write', 'records:read']),
      });
      class PromotingMeanwhile extends Passwords {
        override async hash(password: string): Promise<string> {
          await update(id, { role: 'editor' });
          return super.hash(password);
        }
      }

      const change = database
        .service(
          new PromotingMeanwhile(
            readSettings('test', {}),
            new PwnedPasswords(readSettings('test', {}), pino({ level: 'silent' })),
          ),
        )
        .update(id, { password: PASSWORD }, onlyViewers);

      await expect(change).rejects.toThrow('Users with the role editor');
      expect(await users.require(id)).toMatchObject({ role: 'editor', passwordHash: null });
    });
  });

  describe('remove', () => {
    it('deletes a user once', async () => {
      const { id } = await aUser();

      await users.remove(id, OPERATOR, NOTHING_ELSE);

      expect(await users.find(id)).toBeNull();
      await expect(users.remove(id, OPERATOR, NOTHING_ELSE)).rejects.toMatchObject({
        error: 'user_not_found',
      });
    });

    it('lets one of ten win who delete at once', async () => {
      const { id } = await aUser();

      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, () => users.remove(id, OPERATOR, NOTHING_ELSE)),
      );

      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });
});
