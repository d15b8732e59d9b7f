import { IsNull, Not, type EntityManager } from 'typeorm';
import { AuthEvent } from './auth-event.entity.js';

/** Whether the audit knows of a session that a user has begun, which may be forgotten by now. */
export function hasBegunSession(manager: EntityManager, userId: number): Promise<boolean> {
  return manager.existsBy(AuthEvent, { userId, sessionId: Not(IsNull()), outcome: 'success' });
}
