import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { readerOf, type Reader } from '../../database/statements/reads.js';
import { select } from '../../database/statements/statement.js';
import { CredentialLookup, type SignInColumns } from '../rows/credential-lookup.js';
import { ENABLED_ADMIN, UserLocks, type Held } from '../rows/user-locks.js';
import type { User } from '../rows/user.entity.js';
import { lastAdmin } from '../user.errors.js';

interface AdminRow {
  readonly id: number | string;
  readonly password_hash: string | null;
  readonly email_verified_at: number | string | null;
}

/**
 * The admins who can act: they are enabled, and can sign in as the settings are. An admin who was only invited may never
 * come, since the address may be mistyped. Where there is one, one stays.
 */
@Injectable()
export class ActingAdmins {
  constructor(
    private readonly locks: UserLocks,
    private readonly credentials: CredentialLookup,
  ) {}

  /** Whether there is one. @param but the id of an admin who does not count */
  async exist(reader: Reader, but = 0): Promise<boolean> {
    const sql = `SELECT id, password_hash, email_verified_at FROM users WHERE ${ENABLED_ADMIN} AND id <> ?`;
    const admins = await reader.select<AdminRow>(sql, [but]);
    return this.credentials.source.isAnyUsable(reader, admins.map(columnsOf));
  }

  /**
   * To be asked after {@link UserLocks.withAdmins}, before a user changes or goes. Where none can act, an enabled one stays.
   *
   * @param after `null`: the user goes
   * @throws {DomainError} `last_admin`
   */
  async requireAfter(manager: EntityManager, before: User, after: User | null): Promise<void> {
    if (!isEnabledAdmin(before)) return;
    if (!(await this.include(manager, before))) {
      if (!isEnabledAdmin(after)) await this.requireOtherEnabled(manager, before.id);
    } else if (!(await this.include(manager, after)) && !(await this.exist(readerOf(manager), before.id)))
      throw lastAdmin();
  }

  /**
   * Holds a user and all enabled admins still, and does what may take credentials from the user.
   *
   * @throws {DomainError} `user_not_found`; `last_admin`: the last one who could act cannot any more
   */
  async keeping<Result>(manager: EntityManager, held: Held, work: (user: User) => Promise<Result>): Promise<Result> {
    const user = await this.locks.withAdmins(manager, held);
    const couldAct = await this.include(manager, user);
    const result = await work(user);
    if (couldAct && !(await this.exist(readerOf(manager)))) throw lastAdmin();
    return result;
  }

  private async include(manager: EntityManager, user: User | null): Promise<boolean> {
    return isEnabledAdmin(user) && this.credentials.source.isAnyUsable(readerOf(manager), [user]);
  }

  private async requireOtherEnabled(manager: EntityManager, id: number): Promise<void> {
    const others = await select(manager, `SELECT id FROM users WHERE ${ENABLED_ADMIN} AND id <> ? LIMIT 1`, [id]);
    if (others.length === 0) throw lastAdmin();
  }
}

function isEnabledAdmin(user: User | null): user is User {
  return user?.role === 'admin' && user.disabledAt === null;
}

function columnsOf({ id, password_hash: passwordHash, email_verified_at: verified }: AdminRow): SignInColumns {
  return { id: Number(id), passwordHash, emailVerifiedAt: verified === null ? null : Number(verified) };
}
