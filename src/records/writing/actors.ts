import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { head } from '../../common/fold.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/reads.js';
import { execute, placeholders, select } from '../../database/statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';

/** Whoever wrote a record, as the API shows it. */
export interface ActorView {
  readonly kind: 'user' | 'token';
  /** `null` for a token of the configuration. */
  readonly id: number | null;
  readonly name: string;
}

export interface ActorRow {
  readonly id: number;
  readonly kind: 'user' | 'token' | 'config';
  readonly ref: string;
  readonly name: string;
}

const CACHE_SIZE = 10_000;
/** As long as the column; the rest of a name does not tell anybody apart. */
const MAX_REF = 191;
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

    const row = await this.enrol({ kind, ref, name: caller.name }, 'renamed');
    remember(this.ids, key, row.id);
    remember(this.views, row.id, actorView(row));
    return row.id;
  }

  /**
   * The number of somebody who wrote in another database.
   *
   * @param userId who that is here; `null`: nobody, and nobody who comes later is taken for them
   */
  async idOfForeign({ kind, id, name }: ActorView, userId: number | null): Promise<number> {
    if (userId !== null) return (await this.enrol({ kind: 'user', ref: String(userId), name })).id;
    if (id === null) return (await this.enrol({ kind: 'config', ref: head(name, MAX_REF), name })).id;
    return (await this.enrol({ kind, ref: head(`${id} ${name}`, MAX_REF), name })).id;
  }

  /** Learns the names of actors, so that {@link view} knows them. One query at most, none when all are known. */
  async load(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.views.has(id));
    if (missing.length === 0) return;
    const rows = await this.reads.select<ActorRow>(
      `SELECT id, kind, ref, name FROM actors WHERE id IN (${placeholders(missing)})`,
      missing,
    );
    for (const row of rows) remember(this.views, row.id, actorView(row));
  }

  view(id: number): ActorView {
    return this.views.get(id) ?? UNKNOWN;
  }

  private enrol({ kind, ref, name }: Omit<ActorRow, 'id'>, way?: 'renamed'): Promise<ActorRow> {
    return this.unitOfWork.run(async (manager) => {
      await execute(manager, `${this.dialect.insertOrIgnore} INTO actors (kind, ref, name) VALUES (?, ?, ?)`, [
        kind,
        ref,
        name,
      ]);
      if (way === 'renamed') {
        const sql = 'UPDATE actors SET name = ? WHERE kind = ? AND ref = ? AND name <> ?';
        await execute(manager, sql, [name, kind, ref, name]);
      }
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

/** Of somebody from another database the id stands in front of the name that they had there. */
export function actorView({ kind, ref, name }: Omit<ActorRow, 'id'>): ActorView {
  return kind === 'config' ? { kind: 'token', id: null, name } : { kind, id: Number.parseInt(ref, 10), name };
}

function remember<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}
