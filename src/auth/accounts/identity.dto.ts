import type { Identity } from './identity.entity.js';

/** An identity that opens an account, as its user and administrators see it. */
export class IdentityDto {
  id!: number;
  provider!: string;
  /** The address that the provider named when it was linked. */
  email!: string | null;
  created_at!: string;
  last_used_at!: string;

  static from({ id, provider, email, createdAt, lastUsedAt }: Identity): IdentityDto {
    return {
      id,
      provider,
      email,
      created_at: new Date(createdAt).toISOString(),
      last_used_at: new Date(lastUsedAt).toISOString(),
    };
  }
}
