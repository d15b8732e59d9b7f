import type { EntityManager } from 'typeorm';
import { DomainError } from '../common/errors/domain-error.js';
import type { Dialect } from '../database/dialect/dialect.js';
import { execute } from '../database/statements/statement.js';
import { executeLater } from '../database/statements/statement-queue.js';
import type { KeyedRequest } from './keyed-request.js';

/** The time for which a key is known, milliseconds: longer than a browser keeps a form and sends it again. */
export const KEPT_MS = 31 * 86_400_000;
/** The longest time of a request of many units, milliseconds: after that it was broken off. */
const LONGEST_MS = 60_000;

/** A key that is not taken: no request had it, or one had it that was broken off by the end of its process. */
type Found = 'free' | 'left';

/** Another request with the key was carried out. */
export class KeyTakenError extends DomainError {
  constructor() {
    super('overloaded', 'Another request has this Idempotency-Key just now. Try again in a moment.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** The key of a request, for the unit of work that carries it out: both are committed, or neither. */
export class Once {
  constructor(
    private readonly dialect: Dialect,
    private readonly request: KeyedRequest,
  ) {}

  /**
   * Takes the key, as the first statement of the unit; waits for a unit of another request that has it.
   *
   * @param ref id of the record that the request changes; 0: one that is yet to be made
   * @throws {KeyTakenError}
   */
  async begin(manager: EntityManager, ref = 0): Promise<void> {
    if (!(await this.insert(manager, ref))) throw new KeyTakenError();
  }

  /** Takes the key before all units of a request. @returns how it was found; `null`: another request has it */
  async take(manager: EntityManager): Promise<Found | null> {
    if (await this.insert(manager, 0)) return 'free';
    const { now } = this.dialect;
    const { caller, hash, request } = this.request;
    const { affected } = await execute(
      manager,
      `UPDATE idempotency_keys SET expires_at = ${now} + ${KEPT_MS}
        WHERE caller = ? AND hash = ? AND request = ? AND answer IS NULL AND expires_at < ${now} + ${KEPT_MS - LONGEST_MS}`,
      [caller, hash, request],
    );
    return affected > 0 ? 'left' : null;
  }

  /** Notes the id of the record that the request has made. */
  async made(manager: EntityManager, ref: number): Promise<void> {
    const { caller, hash } = this.request;
    const sql = 'UPDATE idempotency_keys SET ref = ? WHERE caller = ? AND hash = ?';
    await executeLater(manager, sql, [ref, caller, hash]);
  }

  private async insert(manager: EntityManager, ref: number): Promise<boolean> {
    const { insertOrIgnore, now } = this.dialect;
    const { caller, hash, request } = this.request;
    const { affected } = await execute(
      manager,
      `${insertOrIgnore} INTO idempotency_keys (caller, hash, request, ref, expires_at)
        VALUES (?, ?, ?, ?, ${now} + ${KEPT_MS})`,
      [caller, hash, request, ref],
    );
    return affected > 0;
  }
}
