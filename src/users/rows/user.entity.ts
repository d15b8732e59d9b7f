import { Column, Entity, Index } from 'typeorm';
import type { Role } from '../roles/roles.js';
import { GeneratedId, TimeColumn } from '../../database/statements/columns.js';

/** A person with an account. */
@Entity('users')
@Index('i_users_role', ['role', 'disabledAt'])
export class User {
  @GeneratedId()
  readonly id!: number;

  /** As the person writes it; mail goes here. */
  @Column({ type: 'varchar', length: 320 })
  email!: string;

  /** The normalised address: two spellings of one mailbox have one key. */
  @Index('u_users_email_key', { unique: true })
  @Column({ type: 'varchar', length: 320 })
  emailKey!: string;

  @Column({ type: 'varchar', length: 255 })
  name!: string;

  @Column({ type: 'varchar', length: 16 })
  role!: Role;

  /** Argon2id in PHC form; `null` for a user who signs in without a password. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  passwordHash!: string | null;

  /** Time at which the password was last set or taken away, milliseconds since 1970, UTC. */
  @TimeColumn({ nullable: true })
  passwordChangedAt!: number | null;

  /**
   * Since when others know the password, or one that was taken away, who cannot do everything; `null`: its owner or an
   * administrator with all scopes has set it.
   */
  @TimeColumn({ nullable: true })
  passwordGivenAt!: number | null;

  @TimeColumn({ nullable: true })
  emailVerifiedAt!: number | null;

  @TimeColumn({ nullable: true })
  disabledAt!: number | null;

  /** The provider that has disabled the user; `null`: an administrator has, or nothing. */
  @Column({ type: 'varchar', length: 16, nullable: true })
  disabledReason!: string | null;

  /** The provider whose groups give the role; `null`: administrators give it. */
  @Column({ type: 'varchar', length: 16, nullable: true })
  roleSource!: string | null;

  /** The latest role that a trusted issuer or a gateway has named for the person, whose requests have it instead of `role`. */
  @Column({ type: 'varchar', length: 16, nullable: true })
  issuerRole!: Role | null;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn()
  updatedAt!: number;
}
