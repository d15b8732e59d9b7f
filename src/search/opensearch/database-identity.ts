import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { CachedValue } from '../../common/concurrency/cached-value.js';
import type { Reader } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import type { UnitOfWork } from '../../database/units/unit-of-work.js';

/** For so long a process may go on with an identity that another one has replaced, milliseconds. */
const CACHED_MS = 5_000;
const BYTES = 8;
const FOUND = 'SELECT identity FROM search_feed WHERE id = 1';

/** The identity of a database; `null`: it has needed none yet. */
export async function identityIn(reader: Reader): Promise<string | null> {
  const [row] = await reader.select<{ identity: string }>(FOUND);
  return row?.identity ?? null;
}

/**
 * Random text that distinguishes this database from others which feed the same OpenSearch, or have backups in the same
 * folder. The indexes of a database carry it, and all requests go to aliases that are called after it.
 */
export class DatabaseIdentity {
  private readonly known = new CachedValue('', () => this.find(), CACHED_MS);

  /** @param insertOrIgnore as the dialect has it */
  constructor(
    private readonly reader: Reader,
    private readonly units: UnitOfWork,
    private readonly insertOrIgnore: string,
  ) {}

  /** `'5f1c02ab9e3d4471'`. It is made when it is first asked for. */
  read(): Promise<string> {
    return this.known.current();
  }

  /** Has this database be another one than before, and than the one that it was copied from. */
  async renew(): Promise<string> {
    const identity = made();
    await this.units.run(async (manager) => {
      await this.insert(manager, identity);
      await execute(manager, 'UPDATE search_feed SET identity = ? WHERE id = 1', [identity]);
    });
    this.known.refresh();
    return identity;
  }

  /**
   * A number for an index that was never given before: what was sent to one that is removed reaches no other.
   *
   * @param above the highest number that is in use
   */
  async nextNumber(above: number): Promise<number> {
    return this.units.run(async (manager) => {
      await this.insert(manager, made());
      const sql = 'UPDATE search_feed SET last_number = GREATEST(last_number, ?) + 1 WHERE id = 1';
      await execute(manager, sql, [above]);
      const [row] = await select<{ n: number | string }>(
        manager,
        'SELECT last_number AS n FROM search_feed WHERE id = 1',
        [],
      );
      return Number(row?.n);
    });
  }

  private async find(): Promise<string> {
    const found = await identityIn(this.reader);
    if (found !== null) return found;
    await this.units.run((manager) => this.insert(manager, made()));
    // Of several processes that begin together, one leaves its own.
    const left = await identityIn(this.reader);
    if (left === null) throw new Error('The identity of the database was not written.');
    return left;
  }

  private async insert(manager: EntityManager, identity: string): Promise<void> {
    const sql = `${this.insertOrIgnore} INTO search_feed (id, identity, last_number) VALUES (1, ?, 0)`;
    await execute(manager, sql, [identity]);
  }
}

function made(): string {
  return randomBytes(BYTES).toString('hex');
}
