import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type EntityManager } from 'typeorm';
import { userIdOf } from '../common/access/caller.js';
import type { PageQuery } from '../common/http/url-query.js';
import { Settings } from '../config/settings.js';
import { isUniqueViolation } from '../database/dialect/database-error.js';
import type { ReadRepository } from '../database/statements/reads.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import type { Account } from './rows/account.js';
import { emailAddress } from '../common/text/email-address.js';
import { Passwords } from './passwords/passwords.js';
import { DEFAULT_ROLE } from './roles/roles.js';
import type { UserAuthority } from './roles/user-authority.js';
import type { PreparedChanges } from './rows/user-columns.js';
import { requireEmail } from './user-fields.js';
import { UserChanges, type ChangedUser, type WithRemoval } from './user-changes.js';
import { User } from './rows/user.entity.js';
import type { CreateUserDto, UpdateUserDto } from './user.dto.js';
import { emailTaken, ownPassword, userNotFound } from './user.errors.js';

/** The people with an account. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: ReadRepository<User>,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: UserChanges,
    private readonly passwords: Passwords,
    private readonly settings: Settings,
  ) {}

  /** The oldest first: those of a page and one of the next page, if there is one; without a page all. */
  list(page?: PageQuery): Promise<Account[]> {
    const part = page && { skip: (page.page - 1) * page.perPage, take: page.perPage + 1 };
    return this.users.find({ order: { id: 'ASC' }, ...part });
  }

  /** The users of these ids who are there, by id. @param ids a hundred at most */
  async byIds(ids: readonly number[]): Promise<ReadonlyMap<number, Account>> {
    const users = ids.length === 0 ? [] : await this.users.findBy({ id: In([...ids]) });
    return new Map(users.map((user) => [user.id, user]));
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
    return email && this.findByKey(email.key);
  }

  /** @param emailKey see `EmailAddress` */
  findByKey(emailKey: string): Promise<Account | null> {
    return this.users.findOneBy({ emailKey });
  }

  /** Without a role a viewer. @throws {DomainError} `email_taken`, `insufficient_scope`, `validation_failed`, `overloaded` */
  async create(account: CreateUserDto, authority: UserAuthority): Promise<Account> {
    const { name, password, role = DEFAULT_ROLE, verified: isVerified = false } = account;
    if (isMoreThanViewer(account)) authority.requireFresh();
    const email = requireEmail(account.email);
    // Once more when it is added: here it spares us a hash.
    authority.requireRole(role);
    authority.requireVouching(isVerified);
    if (password) this.passwords.requireImpersonal(password, { name, email: email.address });
    const passwordHash = password ? await this.passwords.hash(password) : null;
    const prepared = { name, email, role, passwordHash, isVerified };
    return this.writing((manager) => this.changes.add(manager, prepared, authority));
  }

  /**
   * Changes the given fields. All but a name takes a fresh sign-in.
   *
   * @throws {DomainError} `user_not_found`, `email_taken`, `last_admin`, `insufficient_scope`, `overloaded`
   * @throws {ValidationError} the caller's own password
   */
  async update(id: number, changes: UpdateUserDto, authority: UserAuthority): Promise<ChangedUser> {
    if (isMoreThanName(changes)) authority.requireFresh();
    if (changes.password !== undefined && userIdOf(authority.actor) === id) {
      throw ownPassword(this.settings.signIn.methods);
    }
    // Once more below, on the locked row: here it spares a hash for a caller who may not change that user.
    const present = await this.require(id);
    authority.requireOver(present);
    if (changes.role) authority.requireRole(changes.role);
    authority.requireVouching(changes.verified);
    if (changes.password) {
      const { name = present.name, email = present.email } = changes;
      this.passwords.requireImpersonal(changes.password, { name, email });
    }
    const prepared = await this.prepare(changes);
    return this.writing((manager) => this.changes.change(manager, id, prepared, authority));
  }

  /** Keeps a user out, from the next check of their credentials on. */
  disable(id: number, authority: UserAuthority): Promise<ChangedUser> {
    return this.update(id, { disabled: true }, authority);
  }

  /** @param also see {@link UserChanges.remove} @throws {DomainError} `user_not_found`, `last_admin`, `insufficient_scope` */
  remove<Result>(id: number, authority: UserAuthority, also: WithRemoval<Result>): Promise<Result> {
    return this.writing((manager) => this.changes.remove(manager, id, authority, also));
  }

  private async prepare({ email, password, ...rest }: UpdateUserDto): Promise<PreparedChanges> {
    return {
      ...rest,
      ...(email === undefined ? {} : { email: requireEmail(email) }),
      ...(password === undefined ? {} : { passwordHash: password && (await this.passwords.hash(password)) }),
    };
  }

  /** The unique index decides about addresses: two requests may arrive together. */
  private async writing<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    try {
      return await this.unitOfWork.run(work);
    } catch (error) {
      if (isUniqueViolation(error)) throw emailTaken(error);
      throw error;
    }
  }
}

function isMoreThanViewer({ role = DEFAULT_ROLE, password, verified }: CreateUserDto): boolean {
  return role !== DEFAULT_ROLE || Boolean(password) || verified === true;
}

function isMoreThanName({ email, password, role, disabled, verified }: UpdateUserDto): boolean {
  return [email, password, role, disabled, verified].some((value) => value !== undefined);
}
