import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../database/statements/columns.js';

/** `next`: published, so that it is known before it signs. `retired`: published as long as its tokens live. */
export type SigningKeyState = 'next' | 'active' | 'retired';

/** A pair of keys for access tokens. */
@Entity('signing_keys')
export class SigningKeyEntity {
  /** The `kid`: thumbprint of the public key. @see RFC 7638 */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  id!: string;

  @Column({ type: 'varchar', length: 8 })
  state!: SigningKeyState;

  /** The state, as long as one key only can have it: `null` once it is retired. */
  @Index('u_signing_keys_slot', { unique: true })
  @Column({ type: 'varchar', length: 8, nullable: true })
  slot!: 'next' | 'active' | null;

  /** JSON Web Key. */
  @Column({ type: 'mediumtext' })
  publicJwk!: string;

  /** PKCS #8, sealed with a key that is not in the database. */
  @Column({ type: 'mediumtext' })
  sealedKey!: string;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn({ nullable: true })
  activatedAt!: number | null;

  @TimeColumn({ nullable: true })
  retiredAt!: number | null;
}
