import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { holdSharedRow } from '../../database/shared-secret.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, select, placeholders } from '../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { latestWrite } from './latest-write.js';
import { CachedValue } from '../../common/concurrency/cached-value.js';
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
}

const ACTOR_COLUMNS = 'id, kind, ref, name, renamed_at';

const MAX_KNOWN = 10_000;
const MAX_RENAMES = 1_000;
/** How long a name that another instance has changed may be shown as it was, milliseconds. */
const MAX_AGE_MS = 4_000;
const UNKNOWN: KnownActor = { view: { kind: 'token', id: null, name: 'unknown' }, renamedAt: 0 };

/** The names of actors, from memory: what other instances rename shows within five seconds, for one statement in that time. */
class ActorNames {
  private readonly known = new Map<number, KnownActor>();
  /** `renamed_at` up to which all renames are in `known`; `null`: none was asked for yet. */
  private readonly renames = new CachedValue<number | null>(null, (seen) => this.follow(seen), MAX_AGE_MS);
  private followed = 0;

  constructor(private readonly reads: Reads) {}

  /** Learns the names of actors, so that {@link view} knows them. One query at most, none when all are known. */
  async load(ids: Iterable<number>): Promise<void> {
    await this.renames.current();
    const missing = [...new Set(ids)].filter((id) => !this.known.has(id));
    if (missing.length === 0) return;
    const { followed } = this;
    const rows = await this.reads.select<ActorRow>(
      `SELECT ${ACTOR_COLUMNS} FROM actors WHERE id IN (${placeholders(missing)})`,
      missing,
    );
    // What was renamed while these were read may be among them under its old name.
    if (followed !== this.followed) return this.load(missing);
    for (const row of rows) this.learn(row);
  }

  learn(row: ActorRow): void {
    this.known.delete(row.id);
    this.known.set(row.id, { view: actorView(row), renamedAt: Number(row.renamed_at ?? 0) });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }

  view(id: number): ActorView {
    return (this.known.get(id) ?? UNKNOWN).view;
  }

  isKnown(id: number): boolean {
    return this.known.has(id);
  }

  /** When an actor that was loaded last got another name. Milliseconds since 1970, UTC; 0: never. */
  renamedAt(id: number): number {
    return (this.known.get(id) ?? UNKNOWN).renamedAt;
  }

  /** Takes over what was renamed since, as far as it is known here. */
  private async follow(seen: number | null): Promise<number> {
    if (seen === null) return this.latestRename();
    const rows = await this.reads.select<ActorRow>(
      `SELECT ${ACTOR_COLUMNS} FROM actors WHERE renamed_at > ? ORDER BY renamed_at LIMIT ${MAX_RENAMES}`,
      [seen],
    );
    if (rows.length > 0) this.followed += 1;
    for (const row of rows) if (this.known.has(row.id)) this.learn(row);
    return Number(rows.at(-1)?.renamed_at ?? seen);
  }

  private async latestRename(): Promise<number> {
    const [row] = await this.reads.select<{ at: number | string | null }>('SELECT MAX(renamed_at) AS at FROM actors');
    return Number(row?.at ?? 0);
  }
}

function actorView({ kind, ref, name }: Pick<ActorRow, 'kind' | 'ref' | 'name'>): ActorView {
  return kind === 'config' ? { kind: 'token', id: null, name } : { kind, id: Number(ref), name };
}

type Identity = Pick<ActorRow, 'kind' | 'ref' | 'name'>;

/**
 * Maps callers to the small ids that records store as their authors, and these ids to names without a query per row.
 */
@Injectable()
export class Actors extends ActorNames {
  private readonly ids = new Map<string, number>();

  constructor(
    reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {
    super(reads);
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
    if (this.ids.size >= MAX_KNOWN) this.ids.clear();
    this.ids.set(key, row.id);
    this.learn(row);
    return row.id;
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

/** Makes the authorship of a write. */
@Injectable()
export class Authorships {
  constructor(
    private readonly actors: Actors,
    private readonly clock: Clock,
  ) {}

  async of(caller: Caller): Promise<Authorship> {
    return { actor: await this.actors.idOf(caller), at: this.clock.now() };
  }

  /** Later than the last write of a record, even when the clock stands still or steps back. */
  async after(row: RecordRow, caller: Caller): Promise<Authorship> {
    return { actor: await this.actors.idOf(caller), at: laterThan(row, this.clock.now()) };
  }

  async isBy(actor: number, caller: Caller): Promise<boolean> {
    return (await this.actors.idOf(caller)) === actor;
  }
}
