import type { EntityManager } from 'typeorm';
import { select } from '../database/statements/statement.js';

/** Whether the audit has an event about a user, who may be gone by now. */
export async function isAudited(manager: EntityManager, userId: number): Promise<boolean> {
  return (await select(manager, 'SELECT 1 FROM auth_events WHERE user_id = ? LIMIT 1', [userId])).length > 0;
}

/** Whether the audit knows of a session that a user has begun, which may be forgotten by now. */
export async function hasBegunSession(manager: EntityManager, userId: number): Promise<boolean> {
  const sql = "SELECT 1 FROM auth_events WHERE user_id = ? AND session_id IS NOT NULL AND outcome = 'success' LIMIT 1";
  return (await select(manager, sql, [userId])).length > 0;
}
