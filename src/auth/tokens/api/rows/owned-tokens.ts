import { IsNull, MoreThan, Or, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { ApiToken, type TokenKind } from './api-token.entity.js';

/** Tokens that are neither revoked nor over. @param now milliseconds since 1970, UTC */
export function livingAt(now: number): FindOptionsWhere<ApiToken> {
  return { revokedAt: IsNull(), expiresAt: Or(IsNull(), MoreThan(now)) };
}

/**
 * Ends the living API tokens of a user. `VerifiedTokens.forgetAll` is to be called after the commit.
 *
 * @param now milliseconds since 1970, UTC
 * @param kind service tokens live on unless they are meant
 * @returns how many were ended
 */
export async function endTokensOf(
  manager: EntityManager,
  ownerId: number,
  now: number,
  kind: TokenKind = 'personal',
): Promise<number> {
  const { affected } = await manager.update(ApiToken, { ...livingAt(now), ownerId, kind }, { revokedAt: now });
  return affected ?? 0;
}

/** The living service tokens that a user is responsible for, the oldest first. */
export function serviceTokensOf(manager: EntityManager, ownerId: number, now: number): Promise<ApiToken[]> {
  return manager.find(ApiToken, { where: { ...livingAt(now), ownerId, kind: 'service' }, order: { id: 'ASC' } });
}
