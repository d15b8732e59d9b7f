import { Column, Entity, Index, Like } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../../database/statements/columns.js';

/** The name that an identity provider has for a user of ours. */
@Entity('auth_identities')
@Index('u_auth_identities_issuer', ['provider', 'issuer', 'subject'], { unique: true })
export class Identity {
  @GeneratedId()
  readonly id!: number;

  @Column({ type: 'varchar', length: 16 })
  provider!: string;

  /**
   * The address of the OpenID Connect provider, since another one may call another person the same. Empty: the name of the
   * provider says it all.
   */
  @Column({ type: 'varchar', length: 255, default: '' })
  issuer!: string;

  /** The `sub` of the provider: the one thing about an account there that never changes. */
  @Column({ type: 'varchar', length: 255 })
  subject!: string;

  @Index('i_auth_identities_user_id')
  @IdColumn()
  userId!: number;

  /** The address that the provider gave when it was linked. */
  @Column({ type: 'varchar', length: 320, nullable: true })
  email!: string | null;

  /**
   * Since when its directory speaks for the account: the account was made for it, or had the address that the provider
   * had verified. `null`: it was linked by hand, and only opens the account.
   */
  @TimeColumn({ nullable: true })
  boundAt!: number | null;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn()
  lastUsedAt!: number;
}

const PREFIX = 'jwt:';

/** A condition on the provider of identities: trusted issuers and gateways know their users by them. @see ADR 34 */
export const OF_ISSUER = Like(`${PREFIX}%`);

/** The provider name under which an identity of an issuer is kept: `corp` -> `jwt:corp` */
export function providerOfIssuer(name: string): string {
  return `${PREFIX}${name}`;
}

/** The name of the issuer that an identity is of; `null`: it is of a provider that users sign in with here. */
export function issuerOf({ provider }: { readonly provider: string }): string | null {
  return provider.startsWith(PREFIX) ? provider.slice(PREFIX.length) : null;
}
