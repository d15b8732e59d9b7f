import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { holdSharedRow } from '../../database/shared-secret.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { ACTOR_COLUMNS, ActorNames, type ActorRow, type ActorView } from './actor-names.js';
import { latestWrite } from './latest-write.js';

const MAX_KNOWN = 10_000;

type Identity = Pick<ActorRow, 'kind' | 'ref' | 'name'>;

/**
 * Maps callers to the small ids that records store as their authors, and these ids to names without a query per row.
 */
@Injectable()
export class Actors {
  private readonly names: ActorNames;
  private readonly ids = new Map<string, number>();

  constructor(
    reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {
    this.names = new ActorNames(reads);
  }

  /** The number of a caller; made when they write for the first time, and renamed with them. */
  async idOf(caller: Caller): Promise<number> {
    const { id, name, kind: credential } = caller.author ?? caller;
    const kind = id === null ? 'config' : credential;
    const ref = id === null ? name : String(id);
    const key = `${kind}:${ref}`;
    const known = this.ids.get(key);
    if (known !== undefined && this.names.view(known).name === name) return known;

    const row = await this.register({ kind, ref, name });
    if (this.ids.size >= MAX_KNOWN) this.ids.clear();
    this.ids.set(key, row.id);
    this.names.learn(row);
    return row.id;
  }

  /** Learns the names of actors, so that {@link view} knows them. One query at most, none when all are known. */
  load(ids: Iterable<number>): Promise<void> {
    return this.names.load(ids);
  }

  view(id: number): ActorView {
    return this.names.view(id);
  }

  /** Whether {@link view} knows the name without a query, though perhaps not the latest one. */
  isKnown(id: number): boolean {
    return this.names.isKnown(id);
  }

  /** When an actor that was loaded last got another name. Milliseconds since 1970, UTC; 0: never. */
  renamedAt(id: number): number {
    return this.names.renamedAt(id);
  }

  private register(identity: Identity): Promise<ActorRow> {
    const { kind, ref, name } = identity;
    const enrolled = async (manager: EntityManager): Promise<ActorRow> => {
      const sql = `${this.dialect.insertOrIgnore} INTO actors (kind, ref, name) VALUES (?, ?, ?)`;
      await execute(manager, sql, [kind, ref, name]);
      const row = await rowOf(manager, identity);
      if (row.name === name) return row;
      const at = await this.timeOfRename(manager);
      await execute(manager, 'UPDATE actors SET name = ?, renamed_at = ? WHERE id = ?', [name, at, row.id]);
      return { ...row, name, renamed_at: at };
    };
    return this.unitOfWork.run(enrolled, REPEATABLE);
  }

  /** Later than every rename before it, and than every record that still shows the old name. */
  private async timeOfRename(manager: EntityManager): Promise<number> {
    await holdSharedRow(manager, this.dialect);
    const [last] = await select<Pick<ActorRow, 'renamed_at'>>(
      manager,
      `SELECT renamed_at, name FROM actors WHERE renamed_at IS NOT NULL ORDER BY renamed_at DESC LIMIT 1${this.dialect.lockForUpdate}`,
    );
    return Math.max(this.clock.now(), Number(last?.renamed_at ?? 0) + 1, (await latestWrite(manager)) + 1);
  }
}

async function rowOf(manager: EntityManager, { kind, ref }: Identity): Promise<ActorRow> {
  const sql = `SELECT ${ACTOR_COLUMNS} FROM actors WHERE kind = ? AND ref = ?`;
  const [row] = await select<ActorRow>(manager, sql, [kind, ref]);
  if (!row) throw new Error('An actor vanished while it was being made.');
  return row;
}
