import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../../database/statements/columns.js';

export type ChallengePurpose =
  | 'sign_in'
  | 'password_reset'
  | 'invitation'
  | 'exchange'
  | 'id_token'
  | 'logout_token'
  | 'provider_logout'
  | 'link'
  | 'lock_down';

/** A secret that is to be shown within a short time, and can be shown once. */
@Entity('auth_challenges')
@Index('u_auth_challenges_subject', ['purpose', 'subject'], { unique: true })
export class Challenge {
  @GeneratedId()
  readonly id!: number;

  @Column({ type: 'varchar', length: 16 })
  purpose!: ChallengePurpose;

  /** Its subject: there is one of each purpose at a time. The key of an e-mail address, or a random text. */
  @Column({ type: 'varchar', length: 320 })
  subject!: string;

  /** `null`: the address has no account. */
  @Index('i_auth_challenges_user_id')
  @IdColumn({ nullable: true })
  userId!: number | null;

  /** HMAC-SHA-256 of the code with a key that is not in the database, lower-case hexadecimal. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  codeHash!: string | null;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Index('u_auth_challenges_token_hash', { unique: true })
  @Column({ type: 'varchar', length: 64, nullable: true })
  tokenHash!: string | null;

  @Column({ type: 'int' })
  attempts!: number;

  /** Decisions from when it was made, as JSON: where to go afterwards, for example. */
  @Column({ type: 'mediumtext', nullable: true })
  context!: string | null;

  @TimeColumn()
  createdAt!: number;

  @Index('i_auth_challenges_expires_at')
  @TimeColumn()
  expiresAt!: number;

  @TimeColumn({ nullable: true })
  consumedAt!: number | null;
}
