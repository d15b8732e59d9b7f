import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { Challenge } from '../secrets/challenge.entity.js';

/**
 * Ends the codes and links of a user that were mailed and not used. Links that lock an account down stay: the mail about
 * the very change that ends the others has one.
 */
export async function endChallenges(manager: EntityManager, userId: number): Promise<void> {
  await manager.delete(Challenge, { userId, consumedAt: IsNull(), purpose: Not('lock_down') });
}

/**
 * Ends the links that lock an account down and were mailed to an address.
 *
 * @param userId of a user who is held still in this unit of work
 */
export async function endLockDownLinks(manager: EntityManager, userId: number, address: string): Promise<void> {
  const open = await manager.find(Challenge, {
    where: { userId, purpose: 'lock_down', consumedAt: IsNull() },
    order: { id: 'ASC' },
  });
  // Written by `LockDownLinks` alone.
  const mailed = open.filter(
    ({ context }) => (JSON.parse(context ?? '') as { readonly address: string }).address === address,
  );
  if (mailed.length === 0) return;
  await manager.delete(Challenge, { id: In(mailed.map(({ id }) => id)) });
}
