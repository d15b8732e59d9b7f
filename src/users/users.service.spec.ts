import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { Audit } from '../audit/audit.js';
import { Clock } from '../common/clock.js';
import { AppKeys } from '../config/app-keys.js';
import { readSettings } from '../config/settings.js';
import { openDataSource } from '../database/data-source.js';
import { dialectFor } from '../database/dialect/dialect-for.js';
import { migrate } from '../database/migrate.js';
import { Reauthorization } from '../database/reauthorization.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Writer } from '../database/writer.js';
import type { Account, AccountChanges, NewAccount } from './account.js';
import { ActingAdmins } from './acting-admins.js';
import { CredentialLookup, type CredentialSource } from './credential-lookup.js';
import { ManagedRoles } from './managed-roles.js';
import { Passwords } from './passwords.js';
import { UncheckedPasswords } from './pwned-passwords.js';
import { Authority } from './user-authority.js';
import { UserChanges } from './user-changes.js';
import { UserListeners } from './user-listeners.js';
import { UserLocks } from './user-locks.js';
import { UserRules } from './user-rules.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

class SteppingClock extends Clock {
  private time = Date.UTC(2026, 0, 1);

  /** A second later at each look. */
  override now(): number {
    return (this.time += 1_000);
  }
}

const OPERATOR = new Authority({ kind: 'user', id: null, name: 'operator', scopes: new Set(['*']) });
const PASSWORD = 'a sentence of my own making';
const NOTHING_ELSE = () => Promise.resolve();
/** Accounts without identities, sessions and tokens, where passwords and mail are methods. */
const COLUMNS_ALONE: CredentialSource = {
  isAnyUsable: (_, accounts) =>
    Promise.resolve(accounts.some((one) => one.passwordHash !== null || one.emailVerifiedAt !== null)),
  hasIdentity: () => Promise.resolve(false),
  isInUse: () => Promise.resolve(false),
};

describe('UsersService', () => {
  let database: TestDatabase;
  let writer: Writer;
  let reader: DataSource;
  let unitOfWork: UnitOfWork;
  let users: UsersService;
  const passwords = new Passwords(readSettings('test', {}), new UncheckedPasswords());

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = await Writer.open(dialectFor(database.address));
    await migrate(writer);
    reader = await openDataSource(writer.dialect.readerOptions());
    unitOfWork = new UnitOfWork(writer);
    users = serviceWith(passwords);
  });

  function serviceWith(hashes: Passwords): UsersService {
    const clock = new SteppingClock();
    const keys = new AppKeys(readSettings('test', {}));
    const roles = new ManagedRoles(readSettings('test', {}));
    const audit = new Audit(unitOfWork, clock, keys, pino({ level: 'silent' }));
    const reauthorization = new Reauthorization(unitOfWork);
    reauthorization.use((_, caller) => Promise.resolve(caller));
    const locks = new UserLocks(writer.dialect);
    const credentials = new CredentialLookup();
    credentials.use(COLUMNS_ALONE);
    const rules = new UserRules(locks, new ActingAdmins(locks, credentials), roles, credentials);
    const changes = new UserChanges(rules, new UserListeners(), clock, audit, reauthorization);
    return new UsersService(reader.getRepository(User), unitOfWork, changes, hashes);
  }

  beforeEach(() => unitOfWork.run((manager) => manager.deleteAll(User)));

  afterAll(async () => {
    await reader.destroy();
    await writer.onApplicationShutdown();
    await database.drop();
  });

  let count = 0;
  const aUser = (input: Partial<NewAccount> = {}): Promise<Account> =>
    users.create({ name: 'Ann', email: `ann${++count}@example.com`, ...input }, OPERATOR);
  const verified = (id: number) =>
    unitOfWork.run((manager) => manager.update(User, { id }, { emailVerifiedAt: 1_700_000_000_000 }));

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

      const changed = await users.update(user.id, { name: 'Ann Miller' }, OPERATOR);

      expect({ ...changed }).toEqual({ ...user, name: 'Ann Miller', updatedAt: expect.any(Number) });
      expect(changed.updatedAt).toBeGreaterThan(user.updatedAt);
      expect({ ...(await users.require(user.id)) }).toEqual({ ...changed });
    });

    const SAME: AccountChanges[] = [{}, { name: 'Ann' }, { role: 'viewer', disabled: false }, { password: null }];

    it.each(SAME)('writes nothing when nothing changes: %j', async (changes) => {
      const user = await aUser();

      await users.update(user.id, { ...changes, email: user.email }, OPERATOR);

      expect({ ...(await users.require(user.id)) }).toEqual({ ...user });
    });

    it('asks for a new proof when the address changes, and not when it stays', async () => {
      const user = await aUser();
      await verified(user.id);

      const same = await users.update(user.id, { name: 'Bea', email: user.email }, OPERATOR);
      const spelled = await users.update(user.id, { email: user.email.toUpperCase() }, OPERATOR);
      const other = await users.update(user.id, { email: 'other@example.com' }, OPERATOR);

      expect(same.emailVerifiedAt).not.toBeNull();
      expect(spelled).toMatchObject({ emailKey: user.emailKey, emailVerifiedAt: same.emailVerifiedAt });
      expect(spelled.email).not.toBe(user.email);
      expect(other.emailVerifiedAt).toBeNull();
    });

    it('frees the old address and refuses one that another user has', async () => {
      const ann = await aUser({ email: 'ann@example.com' });
      const bob = await aUser({ email: 'bob@example.com' });

      await expect(users.update(bob.id, { email: 'Ann@example.com' }, OPERATOR)).rejects.toMatchObject({
        error: 'email_taken',
      });
      await users.update(ann.id, { email: 'new@example.com' }, OPERATOR);
      await expect(users.update(bob.id, { email: 'ann@example.com' }, OPERATOR)).resolves.toMatchObject({ id: bob.id });
    });

    it('sets, replaces and takes away a password', async () => {
      const { id } = await aUser();

      const { passwordHash } = await users.update(id, { password: PASSWORD }, OPERATOR);
      const without = await users.update(id, { password: null }, OPERATOR);

      expect(await passwords.verify(PASSWORD, passwordHash)).toBe(true);
      expect(without.passwordHash).toBeNull();
    });

    it('disables once, and enables again', async () => {
      const { id } = await aUser();

      const disabled = await users.disable(id, OPERATOR);
      const again = await users.disable(id, OPERATOR);
      const enabled = await users.update(id, { disabled: false }, OPERATOR);

      expect(disabled.disabledAt).not.toBeNull();
      expect(again).toMatchObject({ disabledAt: disabled.disabledAt, updatedAt: disabled.updatedAt });
      expect(enabled.disabledAt).toBeNull();
    });

    it('refuses a user who does not exist', async () => {
      await expect(users.update(9_999_999, { name: 'X' }, OPERATOR)).rejects.toMatchObject({ error: 'user_not_found' });
    });

    it('loses none of forty changes of different fields at once', async () => {
      const { id } = await aUser();

      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          users.update(id, index % 2 === 0 ? { name: `Ann ${index}` } : { role: 'author' }, OPERATOR),
        ),
      );

      expect(await users.require(id)).toMatchObject({ name: expect.stringMatching(/^Ann \d+$/), role: 'author' });
    });

    it('judges the role that a user has at the moment of the change', async () => {
      const { id } = await aUser();
      const onlyViewers = new Authority({
        kind: 'token',
        id: 1,
        name: 'ci',
        scopes: new Set(['users:write', 'records:read']),
      });
      class PromotingMeanwhile extends Passwords {
        override async hash(password: string): Promise<string> {
          await users.update(id, { role: 'editor' }, OPERATOR);
          return super.hash(password);
        }
      }

      const change = serviceWith(new PromotingMeanwhile(readSettings('test', {}), new UncheckedPasswords())).update(
        id,
        { password: PASSWORD },
        onlyViewers,
      );

      await expect(change).rejects.toThrow('Users with the role editor');
      expect(await users.require(id)).toMatchObject({ role: 'editor', passwordHash: null });
    });
  });

  describe('the last admin', () => {
    const ends: [string, (id: number) => Promise<unknown>][] = [
      ['deleted', (id) => users.remove(id, OPERATOR, NOTHING_ELSE)],
      ['demoted', (id) => users.update(id, { role: 'editor' }, OPERATOR)],
      ['disabled', (id) => users.disable(id, OPERATOR)],
    ];

    it.each(ends)('cannot be %s', async (_, end) => {
      const admin = await aUser({ role: 'admin' });
      const retired = await aUser({ role: 'admin' });
      await users.disable(retired.id, OPERATOR);

      await expect(end(admin.id)).rejects.toMatchObject({ error: 'last_admin' });

      expect({ ...(await users.require(admin.id)) }).toEqual({ ...admin });
    });

    it('may change everything else', async () => {
      const { id } = await aUser({ role: 'admin' });

      await expect(users.update(id, { name: 'Ada', role: 'admin', disabled: false }, OPERATOR)).resolves.toMatchObject({
        name: 'Ada',
      });
    });

    it.each(ends)('stays when all admins are %s at once', async (_, end) => {
      for (let round = 0; round < 5; round += 1) {
        const admins = [await aUser({ role: 'admin' }), await aUser({ role: 'admin' }), await aUser({ role: 'admin' })];
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
