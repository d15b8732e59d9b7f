import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { Audit, AuditSignals } from '../../src/audit/audit.js';
import { Clock } from '../../src/common/clock.js';
import { readSettings } from '../../src/config/settings.js';
import { AppKeys } from '../../src/config/values/app-keys.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { Writer } from '../../src/database/statements/writer.js';
import { Reauthorization } from '../../src/database/units/reauthorization.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import type { Passwords } from '../../src/users/passwords/passwords.js';
import { ActingAdmins } from '../../src/users/roles/acting-admins.js';
import { ManagedRoles } from '../../src/users/roles/managed-roles.js';
import { UserAuthority } from '../../src/users/roles/user-authority.js';
import { CredentialLookup, type CredentialSource } from '../../src/users/rows/credential-lookup.js';
import { Accounts } from '../../src/users/rows/accounts.js';
import { User } from '../../src/users/rows/user.entity.js';
import { UserChanges, UserRules } from '../../src/users/user-changes.js';
import { UsersService } from '../../src/users/users.service.js';
import { createMigratedDatabase } from './migrated-database.js';
import type { TestDatabase } from './test-database.js';

/** May do everything to all users. */
export const OPERATOR = new UserAuthority({ kind: 'user', id: null, name: 'operator', scopes: new Set(['*']) });
/** Accounts without identities, sessions and tokens, where passwords and mail are methods. */
const COLUMNS_ALONE: CredentialSource = {
  isAnyUsable: (_, accounts) =>
    Promise.resolve(accounts.some((one) => one.passwordHash !== null || one.emailVerifiedAt !== null)),
  hasIdentity: () => Promise.resolve(false),
  isInUse: () => Promise.resolve(false),
};

class SteppingClock extends Clock {
  private time = Date.UTC(2026, 0, 1);

  /** A second later at each look. */
  override now(): number {
    return (this.time += 1_000);
  }
}

/** A database with users, without the application around it. */
export class UsersDatabase {
  private readonly unitOfWork: UnitOfWork;

  private constructor(
    private readonly database: TestDatabase,
    private readonly writer: Writer,
    private readonly reader: DataSource,
  ) {
    this.unitOfWork = new UnitOfWork(writer);
  }

  static async open(): Promise<UsersDatabase> {
    const database = await createMigratedDatabase();
    const writer = await Writer.open(dialectFor(database.address));
    return new UsersDatabase(database, writer, await openDataSource(writer.dialect.readerOptions()));
  }

  service(passwords: Passwords): UsersService {
    const clock = new SteppingClock();
    const settings = readSettings('test', {});
    const keys = new AppKeys(settings);
    const roles = new ManagedRoles(settings);
    const log = pino({ level: 'silent' });
    const signals = new AuditSignals(log, settings, new Registry());
    const audit = new Audit(this.unitOfWork, clock, keys, log, signals);
    const reauthorization = new Reauthorization(this.unitOfWork);
    reauthorization.use((_, caller) => Promise.resolve(caller));
    const accounts = new Accounts(this.writer.dialect, clock);
    const credentials = new CredentialLookup();
    credentials.use(COLUMNS_ALONE);
    const rules = new UserRules(accounts, new ActingAdmins(accounts, credentials), roles, credentials, settings);
    const changes = new UserChanges(rules, credentials, clock, audit, reauthorization);
    return new UsersService(this.reader.getRepository(User), this.unitOfWork, changes, passwords, settings);
  }

  /** Has the address of a user count as proved. */
  async verify(id: number): Promise<void> {
    await this.unitOfWork.run((manager) => manager.update(User, { id }, { emailVerifiedAt: 1_700_000_000_000 }));
  }

  async clear(): Promise<void> {
    await this.unitOfWork.run((manager) => manager.deleteAll(User));
  }

  async drop(): Promise<void> {
    await this.reader.destroy();
    await this.writer.onApplicationShutdown();
    await this.database.drop();
  }
}
