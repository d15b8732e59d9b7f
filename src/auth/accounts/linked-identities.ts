import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
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
