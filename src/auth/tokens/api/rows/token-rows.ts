import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { IsNull, type EntityManager, MoreThan, Or, type FindOptionsWhere } from 'typeorm';
import { ownerIdOf, type Caller } from '../../../../common/access/caller.js';
import { Clock } from '../../../../common/clock.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { Dialect } from '../../../../database/dialect/dialect.js';
import { holdSharedRow } from '../../../../database/shared-secret.js';
import { insertRow } from '../../../../database/statements/statement.js';
import { holdUser } from '../../../../users/rows/user-rows.js';
import { hashOf } from '../../../secrets/secrets.js';
import { ApiToken, type TokenKind } from './api-token.entity.js';
import { ConfiguredTokens } from './configured-tokens.js';
import type { TokenGrant } from './token-grant.js';

const PREFIX = 'cms_';
const SECRET_LENGTH = 38;
const CHECKSUM_LENGTH = 6;
const HINT_LENGTH = 8;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
/** Bytes from here on would make the first digits likelier than the last ones. */
const FIRST_BIASED_BYTE = 256 - (256 % DIGITS.length);

/** A new API token: `cms_`, 38 random base62 characters (226 bits), and 6 with the CRC-32 of all before them. */
export function newToken(): string {
  const body = PREFIX + randomDigits(SECRET_LENGTH);
  return body + checksumOf(body);
}

/** True if a text can be a token that this service made. */
export function isTokenShaped(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
}

/** The start of a token, by which its owner recognises it: `cms_4fGh`. */
export function hintOf(token: string): string {
  return token.slice(0, HINT_LENGTH);
}

function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) {
    const usable = randomBytes(count).filter((byte) => byte < FIRST_BIASED_BYTE);
    for (const byte of usable) digits += DIGITS.charAt(byte % DIGITS.length);
  }
  return digits.slice(0, count);
}

/** CRC-32 as six base62 digits: 62^6 is more than 2^32. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

export function tokenNotFound(id: string | number): DomainError {
  return new DomainError('token_not_found', `There is no working API token ${id}.`);
}

/** Tokens that are neither revoked nor over. @param now milliseconds since 1970, UTC */
export function livingAt(now: number): FindOptionsWhere<ApiToken> {
  return { revokedAt: IsNull(), expiresAt: Or(IsNull(), MoreThan(now)) };
}

/**
 * Ends the living API tokens of a user. `VerifiedTokens.forgetAll` is to be called after the commit.
 *
 * @param now milliseconds since 1970, UTC
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

const OVERLAP_MS = 86_400_000;
/** Living tokens of one owner. Those that were replaced do not count. */
const MAX_LIVING = 100;
/** Living tokens without an owner, in all. */
const MAX_OWNERLESS = 1_000;

/** A new token apart from what comes of its text. */
export type TokenDraft = TokenGrant & Pick<ApiToken, 'name' | 'createdBy' | 'createdAt'>;

/** The rows of API tokens, inside units of work. */
@Injectable()
export class TokenRows {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    private readonly configured: ConfiguredTokens,
  ) {}

  now(): number {
    return this.clock.now();
  }

  /** The token, held still until the unit of work ends; `null`: there is none, or it ended with one of the configuration. */
  async lock(manager: EntityManager, id: number): Promise<ApiToken | null> {
    await this.dialect.hold(manager, 'api_tokens', { sql: 'id = ?', values: [id] });
    const token = await manager.findOneBy(ApiToken, { id });
    return token && this.configured.parentOf(token) !== 'removed' ? token : null;
  }

  /** A condition on tokens that are valid. */
  living(): FindOptionsWhere<ApiToken> {
    return { ...livingAt(this.clock.now()), ...this.configured.living() };
  }

  /** Keeps others from making tokens for the same user, or without one, until the unit of work ends. */
  async holdMaker(manager: EntityManager, caller: Caller): Promise<void> {
    const ownerId = ownerIdOf(caller);
    if (ownerId === null) await holdSharedRow(manager, this.dialect);
    else await holdUser(manager, this.dialect, ownerId);
  }

  /** Leaves the draft as it was, since a unit of work may run again. */
  async insert(manager: EntityManager, token: string, draft: TokenDraft): Promise<ApiToken> {
    const row = {
      ...draft,
      tokenHash: hashOf(token),
      hint: hintOf(token),
      lastUsedAt: null,
      revokedAt: null,
      replacedBy: null,
    };
    return Object.assign(new ApiToken(), row, { id: await insertRow(manager, ApiToken, row) });
  }

  /** @throws {DomainError} `too_many_tokens`: no other one may be added to them. To be asked after {@link holdMaker} */
  async requireCapacity(manager: EntityManager, { ownerId }: TokenGrant, now: number): Promise<void> {
    const [whose, most] =
      ownerId === null
        ? (['without a responsible user', MAX_OWNERLESS] as const)
        : (['of the user', MAX_LIVING] as const);
    const counted = await manager.find(ApiToken, {
      select: { id: true },
      where: { ...livingAt(now), ...this.configured.living(), ownerId: ownerId ?? IsNull(), replacedBy: IsNull() },
      take: most,
    });
    if (counted.length < most) return;
    const message = `There are ${most} working API tokens ${whose} already. Revoke one first.`;
    throw new DomainError('too_many_tokens', message);
  }

  /** @throws {DomainError} `token_not_found`: also for one that was revoked before */
  async end(manager: EntityManager, id: number): Promise<void> {
    const revokedAt = this.clock.now();
    const { affected } = await manager.update(ApiToken, { id, revokedAt: IsNull() }, { revokedAt });
    if (affected === 0) throw tokenNotFound(id);
  }

  /** Puts a successor in the place of a token. @throws {DomainError} `token_not_found`: it has ended or was replaced */
  async replace(manager: EntityManager, old: ApiToken, token: string, draft: TokenDraft): Promise<ApiToken> {
    const { createdAt: now } = draft;
    const successor = await this.insert(manager, token, draft);
    const { affected } = await manager.update(
      ApiToken,
      { ...livingAt(now), id: old.id, replacedBy: IsNull() },
      { replacedBy: successor.id, expiresAt: Math.min(old.expiresAt ?? Infinity, now + OVERLAP_MS) },
    );
    if (affected === 0) throw tokenNotFound(old.id);
    return successor;
  }
}

/** A token right after it was made: the only moment at which its text is known. */
export interface IssuedToken {
  readonly apiToken: ApiToken;
  readonly token: string;
}
