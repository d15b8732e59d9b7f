import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Settings } from '../../config/settings.js';
import { Challenges } from '../proofs/challenges/challenges.js';
import { linkTo } from '../proofs/challenges/link-owners.js';
import { hashOf, isSecret, newSecret } from '../secrets/secrets.js';

const LIFE_MS = 7 * 86_400_000;

/** The context that is stored with a link. */
interface LockDownContext {
  /** The address that it was mailed to. */
  readonly address: string;
}

/** Links that lock an account down. Each mail has one of its own, so that a later mail does not end an earlier one. */
@Injectable()
export class LockDownLinks {
  constructor(
    private readonly challenges: Challenges,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @returns the address to mail; only a hash of its token is kept */
  async make(manager: EntityManager, userId: number, address: string): Promise<string> {
    const token = newSecret();
    await this.challenges.replace(manager, {
      purpose: 'lock_down',
      subject: hashOf(token),
      userId,
      tokenHash: hashOf(token),
      context: { address },
      expiresAt: this.clock.now() + LIFE_MS,
    });
    return linkTo(this.settings, 'lock_down', token);
  }

  /** Whose account a link locks down, good or not; `null`: it is unknown. The account is locked before {@link consume}. */
  async ownerOf(manager: EntityManager, token: string): Promise<number | null> {
    return isSecret(token) ? this.challenges.ownerOf(manager, 'lock_down', hashOf(token)) : null;
  }

  /** Spends a link. @returns the address that it was mailed to; `null`: unknown, used before, or over */
  async consume(manager: EntityManager, token: string): Promise<string | null> {
    const consumed = await this.challenges.consumeByToken(manager, 'lock_down', hashOf(token));
    // Written by this class alone.
    return consumed && (consumed.context as LockDownContext).address;
  }
}
