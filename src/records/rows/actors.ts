import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select, placeholders } from '../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { latestWrite } from './record-portions.js';
import type { RecordRow } from './record-row.js';

/** The author of a write, as the API shows it. */
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
  /** Milliseconds since 1970, UTC; `null`: the actor has had no other name. */
  readonly renamed_at: number | string | null;
}

interface KnownActor {
  readonly view: ActorView;
  /** 0: never. */
  readonly renamedAt: number;
  /** The time at which it was read, on the clock that never jumps. */
  readonly readAt: number;
}

const ACTOR_COLUMNS = 'id, kind, ref, name, renamed_at';

const MAX_KNOWN = 10_000;
/** The longest time that a name which another instance has changed may be shown as it was, milliseconds. */
const MAX_AGE_MS = 4_000;
const UNKNOWN: KnownActor = { view: { kind: 'token', id: null, name: 'unknown' }, renamedAt: 0, readAt: -Infinity };

function actorView({ kind, ref, name }: Pick<ActorRow, 'kind' | 'ref' | 'name'>): ActorView {
  return kind === 'config' ? { kind: 'token', id: null, name } : { kind, id: Number(ref), name };
}

type Identity = Pick<ActorRow, 'kind' | 'ref' | 'name'>;

/**
 * Maps callers to the small ids that records store as their authors, and these ids to names from memory: what other
 * instances rename shows within five seconds.
 */
@Injectable()
export class Actors {
  private readonly ids = new LRUCache<string, number>({ max: MAX_KNOWN });
  private readonly known = new LRUCache<number, KnownActor>({ max: MAX_KNOWN });

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** Learns the names of actors, so that {@link view} knows them. One query at most, none while all are known. */
  async load(ids: ReadonlySet<number>): Promise<void> {
    const now = performance.now();
    const missing: number[] = [];
    for (const id of ids) if (now - (this.known.get(id) ?? UNKNOWN).readAt >= MAX_AGE_MS) missing.push(id);
    if (missing.length === 0) return;
    const sql = `SELECT ${ACTOR_COLUMNS} FROM actors WHERE id IN (${placeholders(missing)})`;
    for (const row of await this.reads.select<ActorRow>(sql, missing)) this.learn(row, now);
  }

  view(id: number): ActorView {
    return (this.known.get(id) ?? UNKNOWN).view;
  }

  /** The time at which an actor that was loaded last got another name. Milliseconds since 1970, UTC; 0: never. */
  renamedAt(id: number): number {
    return (this.known.get(id) ?? UNKNOWN).renamedAt;
  }

  /** The author of a write of now, and its time. */
  async authorship(caller: Caller): Promise<Authorship> {
    return { actor: await this.idOf(caller), at: this.clock.now() };
  }

  /** Later than the last write of a record, even when the clock stands still or steps back. */
  async authorshipAfter(row: RecordRow, caller: Caller): Promise<Authorship> {
    return { actor: await this.idOf(caller), at: laterThan(row, this.clock.now()) };
  }

  /** The number of a caller; made when they write for the first time, and renamed with them. */
  async idOf(caller: Caller): Promise<number> {
    const { id, name, kind: credential } = caller.author ?? caller;
    const kind = id === null ? 'config' : credential;
    const ref = id === null ? name : String(id);
    const key = `${kind}:${ref}`;
    const known = this.ids.get(key);
    if (known !== undefined && this.view(known).name === name) return known;

    const row = await this.register({ kind, ref, name });
    this.ids.set(key, row.id);
    this.learn(row, performance.now());
    return row.id;
  }

  private learn(row: ActorRow, readAt: number): void {
    const renamedAt = Number(row.renamed_at ?? 0);
    // A row that was read before the actor was renamed here may arrive after that.
    if (renamedAt < this.renamedAt(row.id)) return;
    this.known.set(row.id, { view: actorView(row), renamedAt, readAt });
  }

  private register(identity: Identity): Promise<ActorRow> {
    const { kind, ref, name } = identity;
    const enrolled = async (manager: EntityManager): Promise<ActorRow> => {
      const sql = `${this.dialect.insertOrIgnore} INTO actors (kind, ref, name) VALUES (?, ?, ?)`;
      await execute(manager, sql, [kind, ref, name]);
      const row = await rowOf(manager, identity);
      if (row.name === name) return row;
      // Later than every record that still shows the old name.
      const at = Math.max(this.clock.now(), Number(row.renamed_at ?? 0) + 1, (await latestWrite(manager)) + 1);
      await execute(manager, 'UPDATE actors SET name = ?, renamed_at = ? WHERE id = ?', [name, at, row.id]);
      return { ...row, name, renamed_at: at };
    };
    return this.unitOfWork.run(enrolled, REPEATABLE);
  }
}

async function rowOf(manager: EntityManager, { kind, ref }: Identity): Promise<ActorRow> {
  const sql = `SELECT ${ACTOR_COLUMNS} FROM actors WHERE kind = ? AND ref = ?`;
  const [row] = await select<ActorRow>(manager, sql, [kind, ref]);
  if (!row) throw new Error('An actor vanished while it was being made.');
  return row;
}

/** The author and the time of a write. */
export interface Authorship {
  readonly actor: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** A time behind that of the last write of a record. */
export function laterThan({ updated_at: before }: Pick<RecordRow, 'updated_at'>, now: number): number {
  return Math.max(now, before + 1);
}
