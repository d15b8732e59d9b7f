import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OpenAPIV3_1 } from 'openapi-types';
import { objectOf } from '../../common/openapi/describe.js';
import { named } from '../../common/openapi/endpoint.js';
import type { ReadRepository } from '../../database/statements/reads.js';
import { Identity } from './identity.entity.js';

/** Shows which identities open an account. */
@Injectable()
export class LinkedIdentities {
  constructor(@InjectRepository(Identity) private readonly identities: ReadRepository<Identity>) {}

  /** The oldest first. @param take how many at most; left out: all */
  list(userId: number, take?: number): Promise<Identity[]> {
    return this.identities.find({ where: { userId }, order: { id: 'ASC' }, ...(take === undefined ? {} : { take }) });
  }
}

const INSTANT: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };

/** {@link IdentityDto} in the description of the API. */
export const IDENTITY = named(
  'Identity',
  objectOf(
    {
      id: { type: 'integer', minimum: 1 },
      provider: {
        type: 'string',
        description: '`google`, `apple` or `oidc`; `jwt:<name>` of a trusted issuer, `jwt:gateway` of a gateway.',
        examples: ['google'],
      },
      email: { type: ['string', 'null'], description: 'The address that the provider named when it was linked.' },
      created_at: INSTANT,
      last_used_at: INSTANT,
    },
    { description: 'An identity at a provider that opens an account.' },
  ),
);

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
