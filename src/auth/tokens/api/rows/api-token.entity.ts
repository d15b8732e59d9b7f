import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../../../../database/statements/columns.js';

/** A personal token stands for its owner and ends with them; a service token stands for itself. */
export const TOKEN_KINDS = ['personal', 'service'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** A credential for programs. The token itself is shown once and never stored. */
@Entity('api_tokens')
@Index('i_api_tokens_end', ['revokedAt', 'expiresAt'])
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

  @Column({ type: 'varchar', length: 255, nullable: true })
  createdBy!: string | null;

  @Column({ type: 'varchar', length: 16, default: 'service' })
  kind!: TokenKind;

  /** The user whose personal token it is, or who is responsible for it. That user may be gone. */
  @Index('i_api_tokens_owner_id')
  @IdColumn({ nullable: true })
  ownerId!: number | null;

  /**
   * SHA-256 of the secret of the token of `API_TOKENS` that it was made or rotated with, and with which it ends; `null`:
   * there is none.
   */
  @Column({ type: 'varchar', length: 64, nullable: true })
  configuredParent!: string | null;

  @TimeColumn()
  createdAt!: number;
}
