import type { EntityManager } from 'typeorm';
import { execute, placeholders, select } from '../../../../database/statements/statement.js';
import type { TokenKind } from './api-token.entity.js';

/** So many ids stand in one statement. */
const CHUNK = 500;
const LIVING = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

/**
 * Ends the living API tokens of a user, with all that were made with them: those belong to the same user.
 * `VerifiedTokens.forgetAll` is to be called after the commit.
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

/**
 * Ends everything that was made with a token, at any depth. A token that is being made by one of them is either seen
 * here, or not made: its unit of work holds its maker.
 *
 * @param lock ends a `SELECT`, see `Dialect.lockForUpdate`
 */
export async function endDescendants(manager: EntityManager, id: number, now: number, lock: string): Promise<void> {
  for (const ids of chunks(await descendants(manager, id, now, lock))) {
    await execute(manager, `UPDATE api_tokens SET revoked_at = ? WHERE id IN (${placeholders(ids)})`, [now, ...ids]);
  }
}

/** Has everything that was made with a token end with it. */
export async function cutDescendants(
  manager: EntityManager,
  { id, expiresAt }: { readonly id: number; readonly expiresAt: number },
  now: number,
  lock: string,
): Promise<void> {
  for (const ids of chunks(await descendants(manager, id, now, lock))) {
    const which = `id IN (${placeholders(ids)}) AND (expires_at IS NULL OR expires_at > ?)`;
    await execute(manager, `UPDATE api_tokens SET expires_at = ? WHERE ${which}`, [expiresAt, ...ids, expiresAt]);
  }
}

/** Has everything that was made with a token end with a token of the configuration, of which the hash is given. */
export async function bindDescendants(
  manager: EntityManager,
  { id, configuredParent }: { readonly id: number; readonly configuredParent: string },
  now: number,
  lock: string,
): Promise<void> {
  for (const ids of chunks(await descendants(manager, id, now, lock))) {
    const statement = `UPDATE api_tokens SET configured_parent = ? WHERE id IN (${placeholders(ids)})`;
    await execute(manager, statement, [configuredParent, ...ids]);
  }
}

/** What was made with an ended one has ended, but for the successor of one that has rotated itself and is over. */
const WALKED = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ? OR replaced_by IS NOT NULL)';

async function descendants(manager: EntityManager, id: number, now: number, lock: string): Promise<number[]> {
  const found: number[] = [];
  for (let level = [id]; level.length > 0;) {
    const next: number[] = [];
    for (const ids of chunks(level)) {
      const sql = `SELECT id, name FROM api_tokens WHERE parent_id IN (${placeholders(ids)}) AND ${WALKED} ORDER BY id${lock}`;
      const rows = await select<{ id: number | string }>(manager, sql, [...ids, now]);
      next.push(...rows.map((row) => Number(row.id)));
    }
    found.push(...next);
    level = next;
  }
  return found;
}

function* chunks(ids: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < ids.length; at += CHUNK) yield ids.slice(at, at + CHUNK);
}
