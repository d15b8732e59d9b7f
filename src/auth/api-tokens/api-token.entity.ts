import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../../database/columns.js';

/** A credential for programs. The token itself is shown once and never stored. */
@Entity('api_tokens')
export class ApiToken {
  @GeneratedId()
  readonly id!: number;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Index('u_api_tokens_token_hash', { unique: true })
  @Column({ type: 'varchar', length: 64 })
  tokenHash!: string;

  /** The first characters of the token, by which its owner recognises it. */
  @Column({ type: 'varchar', length: 16 })
  hint!: string;

  /** Scopes, separated by spaces. */
  @Column({ type: 'mediumtext' })
  scopes!: string;

  /** `null`: never. */
  @TimeColumn({ nullable: true })
  expiresAt!: number | null;

  /** To the minute. */
  @TimeColumn({ nullable: true })
  lastUsedAt!: number | null;

  @TimeColumn({ nullable: true })
  revokedAt!: number | null;

  /** The token that a rotation put in its place. */
  @IdColumn({ nullable: true })
  replacedBy!: number | null;

  /** Name of whoever made it. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  createdBy!: string | null;

  /** The user who made it, where it was one who is signed in. */
  @IdColumn({ nullable: true })
  ownerId!: number | null;

  @TimeColumn()
  createdAt!: number;
}
