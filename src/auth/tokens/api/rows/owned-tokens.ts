import type { EntityManager } from 'typeorm';
import { execute, select } from '../../../../database/statements/statement.js';
import type { TokenKind } from './api-token.entity.js';

const LIVING = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

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
  const statement = `UPDATE api_tokens SET revoked_at = ? WHERE owner_id = ? AND kind = ? AND ${LIVING}`;
  return (await execute(manager, statement, [now, ownerId, kind, now])).affected;
}

/** A service token, as its owner recognises it. */
export interface ServiceToken {
  /** The first characters of the token. */
  readonly hint: string;
  /** Separated by spaces. */
  readonly scopes: string;
}

/** The living service tokens that a user is responsible for, the oldest first. */
export async function serviceTokensOf(
  manager: EntityManager,
  ownerId: number,
  now: number,
): Promise<readonly ServiceToken[]> {
  return select<ServiceToken>(
    manager,
    `SELECT hint, scopes FROM api_tokens WHERE owner_id = ? AND kind = 'service' AND ${LIVING} ORDER BY id`,
    [ownerId, now],
  );
}
