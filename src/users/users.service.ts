import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { isUniqueViolation } from '../database/database-error.js';
import type { ReadRepository } from '../database/read-repository.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Account, AccountChanges, NewAccount } from './account.js';
import { emailAddress } from './email-address.js';
import { Passwords } from './passwords.js';
import { DEFAULT_ROLE } from './roles.js';
import { EVERY_ROLE, type Authority } from './user-authority.js';
import { changedColumns, requireEmail, type PreparedChanges } from './user-columns.js';
import { UserLocks } from './user-locks.js';
import { User } from './user.entity.js';
import { emailTaken, userNotFound } from './user.errors.js';

/** The people with an account. An `authority` limits over which roles a change may have power. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: ReadRepository<User>,
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: UserLocks,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
  ) {}

  /** All users, oldest first. */
  list(): Promise<Account[]> {
    return this.users.find({ order: { id: 'ASC' } });
  }

  find(id: number): Promise<Account | null> {
    return this.users.findOneBy({ id });
  }

  /** @throws {DomainError} `user_not_found` */
  async require(id: number): Promise<Account> {
    const account = await this.find(id);
    if (!account) throw userNotFound(id);
    return account;
  }

  /** The user of a mailbox, however its address is spelled. */
  async findByEmail(text: string): Promise<Account | null> {
    const email = emailAddress(text);
    return email && this.users.findOneBy({ emailKey: email.key });
  }

  /**
   * Adds a user; without a role a viewer.
   *
   * @throws {DomainError} `email_taken`, `insufficient_scope`, `validation_failed` for a bad address, `overloaded`
   */
  async create(account: NewAccount, authority: Authority = EVERY_ROLE): Promise<Account> {
    const { name, password, role = DEFAULT_ROLE } = account;
    const { address, key } = requireEmail(account.email);
    authority(role);
    const passwordHash = password ? await this.passwords.hash(password) : null;
    const now = this.clock.now();
    const columns = {
      name,
      email: address,
      emailKey: key,
      role,
      passwordHash,
      passwordChangedAt: password ? now : null,
      emailVerifiedAt: null,
      disabledAt: null,
      createdAt: now,
      updatedAt: now,
    };
    return this.writing(async (manager) => {
      const { identifiers } = await manager.insert(User, { ...columns });
      // TypeORM makes a text of a new 64-bit id.
      return { ...columns, id: Number(identifiers[0]?.id) };
    });
  }

  /**
   * Changes what is given and leaves the rest. When nothing differs, nothing is written.
   *
   * @throws {DomainError} `user_not_found`, `email_taken`, `last_admin`, `insufficient_scope`, `overloaded`
   */
  async update(id: number, changes: AccountChanges, authority: Authority = EVERY_ROLE): Promise<Account> {
    // Once more below, on the locked row: here it spares us a hash for somebody who may not change that user.
    authority((await this.require(id)).role);
    if (changes.role) authority(changes.role);
    const prepared = await this.prepare(changes);
    return this.writing((manager) => this.change(manager, id, prepared, authority));
  }

  /** Keeps a user out, from the next check of their credentials on. Nothing happens to one who is out already. */
  disable(id: number): Promise<Account> {
    return this.update(id, { disabled: true });
  }

  /** @throws {DomainError} `user_not_found`, `last_admin`, `insufficient_scope` */
  async remove(id: number, authority: Authority = EVERY_ROLE): Promise<void> {
    await this.writing(async (manager) => {
      const user = await this.locks.withAdmins(manager, id);
      authority(user.role);
      await this.locks.requireOtherAdmin(manager, user);
      await manager.delete(User, { id });
    });
  }

  private async prepare({ email, password, ...rest }: AccountChanges): Promise<PreparedChanges> {
    return {
      ...rest,
      ...(email === undefined ? {} : { email: requireEmail(email) }),
      ...(password === undefined ? {} : { passwordHash: password && (await this.passwords.hash(password)) }),
    };
  }

  private async change(
    manager: EntityManager,
    id: number,
    changes: PreparedChanges,
    authority: Authority,
  ): Promise<Account> {
    const mayEndAdmin = changes.disabled === true || (changes.role !== undefined && changes.role !== 'admin');
    const user = await (mayEndAdmin ? this.locks.withAdmins(manager, id) : this.locks.one(manager, id));
    authority(user.role);
    const now = this.clock.now();
    const columns = changedColumns(user, changes, now);
    if (Object.keys(columns).length === 0) return user;
    if (mayEndAdmin) await this.locks.requireOtherAdmin(manager, user);
    await manager.update(User, { id }, { ...columns, updatedAt: now });
    return Object.assign(user, columns, { updatedAt: now });
  }

  /** The unique index decides about addresses, not a look-up beforehand: two requests may arrive together. */
  private async writing<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    try {
      return await this.unitOfWork.run(work);
    } catch (error) {
      if (isUniqueViolation(error)) throw emailTaken(error);
      throw error;
    }
  }
}
