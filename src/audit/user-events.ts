import type { EntityManager } from 'typeorm';
import { select } from '../database/statements/statement.js';

/** Whether the audit knows of a session that a user has begun, which may be forgotten by now. */
export async function hasBegunSession(manager: EntityManager, userId: number): Promise<boolean> {
  const sql = "SELECT 1 FROM auth_events WHERE user_id = ? AND session_id IS NOT NULL AND outcome = 'success' LIMIT 1";
  return (await select(manager, sql, [userId])).length > 0;
}
