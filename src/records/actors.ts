import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access/caller.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { execute, placeholders, select } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** Whoever wrote a record, as the API shows it. */
export interface ActorView {
  readonly kind: 'user' | 'token';
  /** `null` for a token of the configuration. */
  readonly id: number | null;
  readonly name: string;
}

interface ActorRow {
  readonly id: number;
  readonly kind: 'user' | 'token' | 'config';
  readonly ref: string;
  readonly name: string;
}

const CACHE_SIZE = 10_000;
const UNKNOWN: ActorView = { kind: 'token', id: null, name: 'unknown' };

/** Turns callers into small numbers that records can hold, and the numbers back into names without a query per row. */
@Injectable()
export class Actors {
  private readonly views = new Map<number, ActorView>();
  private readonly ids = new Map<string, number>();

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /** The number of a caller; made when they write for the first time, and renamed with them. */
  async idOf(caller: Caller): Promise<number> {
    const kind = caller.id === null ? 'config' : caller.kind;
    const ref = caller.id === null ? caller.name : String(caller.id);
    const key = `${kind}:${ref}:${caller.name}`;
    const known = this.ids.get(key);
    if (known !== undefined) return known;

    const row = await this.enrol({ kind, ref, name: caller.name });
    remember(this.ids, key, row.id);
    remember(this.views, row.id, viewOf(row));
    return row.id;
  }

  /** Learns the names of actors, so that {@link view} knows them. One query at most, none when all are known. */
  async load(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.views.has(id));
    if (missing.length === 0) return;
    const rows = await this.reads.select<ActorRow>(
      `SELECT id, kind, ref, name FROM actors WHERE id IN (${placeholders(missing)})`,
      missing,
    );
    for (const row of rows) remember(this.views, row.id, viewOf(row));
  }

  view(id: number): ActorView {
    return this.views.get(id) ?? UNKNOWN;
  }

  private enrol({ kind, ref, name }: Omit<ActorRow, 'id'>): Promise<ActorRow> {
    return this.unitOfWork.run(async (manager) => {
      await execute(manager, `${this.dialect.insertOrIgnore} INTO actors (kind, ref, name) VALUES (?, ?, ?)`, [
        kind,
        ref,
        name,
      ]);
      await execute(manager, 'UPDATE actors SET name = ? WHERE kind = ? AND ref = ? AND name <> ?', [
        name,
        kind,
        ref,
        name,
      ]);
      const [row] = await select<ActorRow>(
        manager,
        'SELECT id, kind, ref, name FROM actors WHERE kind = ? AND ref = ?',
        [kind, ref],
      );
      if (!row) throw new Error('An actor vanished while it was being made.');
      return row;
    });
  }
}

function viewOf({ kind, ref, name }: ActorRow): ActorView {
  return kind === 'config' ? { kind: 'token', id: null, name } : { kind, id: Number(ref), name };
}

function remember<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}
