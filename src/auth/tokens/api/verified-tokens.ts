import { Injectable, Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { IsNull, LessThanOrEqual, Or } from 'typeorm';
import { type Caller, missingScopes } from '../../../common/access/caller.js';
import { Clock } from '../../../common/clock.js';
import { CredentialCache } from '../../../common/concurrency/credential-cache.js';
import { inBackground } from '../../../common/jobs/background.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { Reads } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { scopesOf, type Role } from '../../../users/roles/roles.js';
import { USER, usersBy } from '../../../users/rows/user-rows.js';
import { ApiToken, type TokenKind } from './rows/api-token.entity.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { isTokenShaped } from './rows/token-rows.js';

/** A token beside its owner, as {@link SELECT_TOKENS} reads them. */
export interface TokenRow {
  readonly id: number | string;
  readonly name: string;
  readonly kind: TokenKind;
  readonly scopes: string;
  readonly expires_at: number | string | null;
  readonly configured_parent: string | null;
  readonly owner_id: number | string | null;
  readonly owner_name: string | null;
  readonly owner_role: Role | null;
  readonly owner_disabled_at: number | string | null;
}

/** Tokens `t` that were not revoked, with their owners `u` as far as these are there; a condition on `t` follows. */
export const SELECT_TOKENS =
  `SELECT t.id, t.name, t.kind, t.scopes, t.expires_at, t.configured_parent, t.owner_id, ` +
  `${USER.name} AS owner_name, ${USER.role} AS owner_role, ${USER.disabledAt} AS owner_disabled_at ` +
  `FROM api_tokens t LEFT JOIN ${usersBy('t.owner_id')} WHERE t.revoked_at IS NULL AND `;

type TokenCaller = Caller & Required<Pick<Caller, 'token'>> & { readonly id: number };

/** The caller with a token, expired or not; `null`: it has ended with its owner, or with the token of the configuration. */
export function callerWith(row: TokenRow, configuredTokens: ConfiguredTokens): TokenCaller | null {
  const { name, kind, configured_parent: configuredParent } = row;
  if (configuredTokens.parentOf({ configuredParent }) === 'removed') return null;
  const ownerId = row.owner_id === null ? null : Number(row.owner_id);
  const expiresAt = row.expires_at === null ? null : Number(row.expires_at);
  const caller = { kind: 'token', id: Number(row.id), name, token: { kind, ownerId, expiresAt } } as const;
  if (kind === 'service') return { ...caller, scopes: new Set(row.scopes.split(' ')) };
  return ofOwner(caller, row);
}

function ofOwner(caller: Omit<TokenCaller, 'scopes'>, row: TokenRow): TokenCaller | null {
  const { owner_name: name, owner_role: role } = row;
  if (name === null || role === null || row.owner_disabled_at !== null) return null;
  const author = { kind: 'user', id: Number(row.owner_id), name } as const;
  return { ...caller, scopes: heldByRole(role, row.scopes.split(' ')), author };
}

/** The scopes of a personal token that its owner holds as well. */
function heldByRole(role: Role, scopes: readonly string[]): ReadonlySet<string> {
  const held = new Set<string>(scopesOf(role));
  if (scopes.includes('*')) return held;
  const missing = new Set(missingScopes({ scopes: held }, scopes));
  return new Set(scopes.filter((scope) => !missing.has(scope)));
}

const PRECISION_MS = 60_000;
const WRITE_AFTER_MS = 1_000;

/** Keeps when each API token was last used: to the minute, and never while a request waits. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  /** Time of use of each token that has its use written, or waits for that. */
  private readonly noted = new Map<number, number>();
  private waiting: number[] = [];
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  note(tokenId: number, now: number): void {
    if (this.isStopped || now - (this.noted.get(tokenId) ?? 0) < PRECISION_MS) return;
    this.noted.set(tokenId, now);
    this.waiting.push(tokenId);
    this.timer ??= setTimeout(() => void inBackground(() => this.write()), WRITE_AFTER_MS).unref();
  }

  /** Writes what was noted, after what is being written. A failure is logged and forgotten: the next use comes soon. */
  write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const tokens = this.waiting;
    this.waiting = [];
    this.saving = this.saving.then(() => this.save(tokens));
    return this.saving;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.write();
  }

  /** In the order of ids, so that two processes lock the rows one after the other. */
  private async save(tokens: readonly number[]): Promise<void> {
    if (tokens.length === 0) return;
    try {
      await this.unitOfWork.run(async (manager) => {
        for (const id of tokens.toSorted((one, other) => one - other)) {
          const usedAt = this.noted.get(id) ?? 0;
          const isLater = Or(IsNull(), LessThanOrEqual(usedAt - PRECISION_MS));
          await manager.update(ApiToken, { id, lastUsedAt: isLater }, { lastUsedAt: usedAt });
        }
      });
    } catch (err) {
      this.log.warn({ err }, 'the last use of API tokens could not be written');
    }
  }
}

type Verified = NonNullable<ReturnType<typeof callerWith>>;

/** Resolves the callers of API tokens, cached for a few seconds each. */
@Injectable()
export class VerifiedTokens {
  private readonly verified: CredentialCache<Verified>;

  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly lastUse: LastUse,
    private readonly configured: ConfiguredTokens,
  ) {
    this.verified = new CredentialCache(clock, (hash) => this.find(hash));
  }

  /**
   * `null`: a token of no caller; `undefined`: a text that has not the shape of our tokens.
   *
   * @param hash SHA-256 of the token, lower-case hexadecimal
   * @param beforeSearch awaited before the database is asked for a hash that it was never asked for with success; may throw
   */
  async callerOf(token: string, hash: string, beforeSearch?: () => Promise<void>): Promise<Caller | null | undefined> {
    let found: Verified | null | undefined = this.verified.known(hash);
    if (!found) {
      if (!isTokenShaped(token)) return undefined;
      if (!this.verified.has(hash)) await beforeSearch?.();
      found = await this.verified.get(hash);
    }
    const now = this.clock.now();
    if (!found || (found.token.expiresAt ?? Infinity) <= now) return null;
    this.lastUse.note(found.id, now);
    return found;
  }

  forgetAll(): void {
    this.verified.forgetAll();
  }

  private async find(tokenHash: string): Promise<Verified | null> {
    const [row] = await this.reads.select<TokenRow>(`${SELECT_TOKENS} t.token_hash = ?`, [tokenHash]);
    return row ? callerWith(row, this.configured) : null;
  }
}
