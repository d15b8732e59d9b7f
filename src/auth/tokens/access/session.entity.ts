import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, TimeColumn } from '../../../database/statements/columns.js';

/** A device on which a user is signed in. Its tokens are derived from it and are not stored. */
@Entity('auth_sessions')
export class Session {
  /** 16 random bytes, lower-case hexadecimal: the `sid` of access tokens. */
  @PrimaryColumn({ type: 'varchar', length: 32 })
  id!: string;

  @Index('i_auth_sessions_user_id')
  @IdColumn()
  userId!: number;

  /** Number of refreshes: a refresh token of another number is an old one. */
  @Column({ type: 'int' })
  counter!: number;

  /** Methods by which its user proved who they are, separated by spaces. @see RFC 8176 */
  @Column({ type: 'varchar', length: 64 })
  amr!: string;

  /** Network address at which it was begun. */
  @Column({ type: 'varchar', length: 45 })
  ip!: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  userAgent!: string | null;

  @TimeColumn()
  createdAt!: number;

  /** Time at which its user last proved who they are; 0: unknown. */
  @TimeColumn({ default: 0 })
  authTime!: number;

  /** Strength of that proof: the number of factors. @see NIST SP 800-63B, authenticator assurance levels */
  @Column({ type: 'int', default: 1 })
  aal!: number;

  @TimeColumn()
  refreshedAt!: number;

  /** The end of it, however often it is refreshed. */
  @Index('i_auth_sessions_expires_at')
  @TimeColumn()
  expiresAt!: number;

  @TimeColumn({ nullable: true })
  revokedAt!: number | null;

  @Column({ type: 'varchar', length: 32, nullable: true })
  revokeReason!: string | null;

  /** A hash of the session at the identity provider in which it was begun. */
  @Index('i_auth_sessions_provider_sid')
  @Column({ type: 'varchar', length: 64, nullable: true })
  providerSid!: string | null;
}
