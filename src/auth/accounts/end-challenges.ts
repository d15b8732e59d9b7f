import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements/statement.js';

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
