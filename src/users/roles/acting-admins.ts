import { Injectable } from '@nestjs/common';
import { IsNull, Not, type EntityManager } from 'typeorm';
import { readerOf, type Reader } from '../../database/statements/reads.js';
import { CredentialLookup } from '../rows/credential-lookup.js';
import { Accounts, type Held } from '../rows/accounts.js';
import { User } from '../rows/user.entity.js';
import { lastAdmin } from '../user.errors.js';

/** A condition on users, which an index serves. */
const ENABLED_ADMIN = { role: 'admin', disabledAt: IsNull() } as const;

/** The admins who can act: they are enabled, and can sign in as the settings are. If there is one, one stays. */
@Injectable()
export class ActingAdmins {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: CredentialLookup,
  ) {}

  /** True if there is one. @param but the id of an admin who does not count */
  async exist(reader: Reader, but = 0): Promise<boolean> {
    const admins = await reader.of(User).find({
      select: { id: true, passwordHash: true, emailVerifiedAt: true },
      where: { ...ENABLED_ADMIN, id: Not(but) },
    });
    return this.credentials.source.isAnyUsable(reader, admins);
  }

  /**
   * To be asked after {@link Accounts.lockWithAdmins}, before a user changes or goes. If none can act, an enabled one stays.
   *
   * @param after `null`: the user goes
   * @throws {DomainError} `last_admin`
   */
  async requireAfter(manager: EntityManager, before: User, after: User | null): Promise<void> {
    if (!isEnabledAdmin(before)) return;
    if (!(await this.include(manager, before))) {
      const others = { ...ENABLED_ADMIN, id: Not(before.id) };
      if (!isEnabledAdmin(after) && !(await manager.existsBy(User, others))) throw lastAdmin();
    } else if (!(await this.include(manager, after)) && !(await this.exist(readerOf(manager), before.id)))
      throw lastAdmin();
  }

  /** Holds a user and all enabled admins still for work that may end credentials. @throws {DomainError} `user_not_found`, `last_admin` */
  async keeping<Result>(manager: EntityManager, held: Held, work: (user: User) => Promise<Result>): Promise<Result> {
    const user = await this.accounts.lockWithAdmins(manager, held);
    const couldAct = await this.include(manager, user);
    const result = await work(user);
    if (couldAct && !(await this.exist(readerOf(manager)))) throw lastAdmin();
    return result;
  }

  private async include(manager: EntityManager, user: User | null): Promise<boolean> {
    return isEnabledAdmin(user) && this.credentials.source.isAnyUsable(readerOf(manager), [user]);
  }
}

function isEnabledAdmin(user: User | null): user is User {
  return user?.role === 'admin' && user.disabledAt === null;
}
