import type { EntityManager } from 'typeorm';
import { execute, placeholders, select } from '../../database/statements/statement.js';

/**
 * Ends the codes and links of a user that were mailed and not used. Links that lock an account down stay: the mail about
 * the very change that ends the others has one.
 */
export async function endChallenges(manager: EntityManager, userId: number): Promise<void> {
  await execute(
    manager,
    "DELETE FROM auth_challenges WHERE user_id = ? AND consumed_at IS NULL AND purpose <> 'lock_down'",
    [userId],
  );
}

/**
 * Ends the links that lock an account down and were mailed to an address.
 *
 * @param userId of a user who is held still in this unit of work
 */
export async function endLockDownLinks(manager: EntityManager, userId: number, address: string): Promise<void> {
  const open = await select<{ id: number | string; context: string }>(
    manager,
    "SELECT id, context FROM auth_challenges WHERE user_id = ? AND purpose = 'lock_down' AND consumed_at IS NULL ORDER BY id",
    [userId],
  );
  // Written by `LockDownLinks` alone.
  const mailed = open.filter(
    ({ context }) => (JSON.parse(context) as { readonly address: string }).address === address,
  );
  if (mailed.length === 0) return;
  const ids = mailed.map(({ id }) => Number(id));
  await execute(manager, `DELETE FROM auth_challenges WHERE id IN (${placeholders(ids)})`, ids);
}
