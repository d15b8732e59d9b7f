import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { CachedValue } from '../../common/concurrency/cached-value.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { selectLater } from '../../database/statements/statement-queue.js';
import { compileType } from '../definition/compiled-type.js';
import type { CompiledType } from '../definition/content-type.js';
import { ContentType } from './content-type.entity.js';
import { definitionsOf } from './type-rows.js';

interface Snapshot {
  readonly byName: ReadonlyMap<string, CompiledType>;
  readonly byId: ReadonlyMap<number, CompiledType>;
  readonly all: readonly CompiledType[];
}

type Version = Pick<ContentType, 'version' | 'stamp'>;

/** A type has up to 200 fields, and each of them up to kilobytes of options. */
const TYPES_AT_ONCE = 4;

const EMPTY: Snapshot = { byName: new Map(), byId: new Map(), all: [] };

/** The type has changed since it was read: read it anew and do the work again. */
export class StaleTypeError extends Error {
  constructor({ name }: CompiledType) {
    super(`The content type ${name} has changed.`);
  }
}

/**
 * All content types, from memory. A change in this process shows at once, one of another process within a second,
 * and at once to those who ask for a name that is not known yet.
 */
@Injectable()
export class ContentTypesService {
  private readonly snapshot = new CachedValue<Snapshot>(EMPTY, (known) => this.read(known));

  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
  ) {}

  async find(name: string): Promise<CompiledType | null> {
    const known = (await this.snapshot.current()).byName.get(name);
    return known ?? (await this.snapshot.fresh()).byName.get(name) ?? null;
  }

  /** @throws {DomainError} `type_not_found` */
  async require(name: string): Promise<CompiledType> {
    return (await this.snapshot.current()).byName.get(name) ?? this.requireLatest({ name });
  }

  /**
   * The type as it is in the database at this moment; the same object where it has not changed.
   *
   * @throws {DomainError} `type_not_found`
   */
  async requireLatest({ name }: Pick<CompiledType, 'name'>): Promise<CompiledType> {
    const type = (await this.snapshot.fresh()).byName.get(name);
    if (!type) throw typeNotFound(name);
    return type;
  }

  async byId(id: number): Promise<CompiledType | null> {
    return (await this.snapshot.current()).byId.get(id) ?? null;
  }

  /** All types by name, without those that another process has made within the last second. */
  async all(): Promise<readonly CompiledType[]> {
    return (await this.snapshot.current()).all;
  }

  /** All types by name, as they are in the database at this moment. */
  async latest(): Promise<readonly CompiledType[]> {
    return (await this.snapshot.fresh()).all;
  }

  /**
   * Holds the type as it is until the unit of work ends.
   *
   * @throws {StaleTypeError} the type is not what `type` says any more, or gone
   */
  async requireCurrent(manager: EntityManager, type: CompiledType): Promise<void> {
    const require = await this.requireCurrentLater(manager, type);
    await require();
  }

  /** {@link requireCurrent} together with the next statement: what is returned throws when that was answered. */
  async requireCurrentLater(manager: EntityManager, type: CompiledType): Promise<() => Promise<void>> {
    const sql = `SELECT version, stamp FROM content_types WHERE id = ?${this.dialect.lockInShareMode}`;
    const rows = await selectLater<Version>(manager, sql, [type.id]);
    return async () => {
      const [row] = await rows();
      if (row && isAt(type, row)) return;
      this.refresh();
      throw new StaleTypeError(type);
    };
  }

  /** Has the next question read the database. */
  refresh(): void {
    this.snapshot.refresh();
  }

  private async read(known: Snapshot): Promise<Snapshot> {
    const versions = await this.reads.of(ContentType).find({ select: { id: true, version: true, stamp: true } });
    const changed = versions.filter((row) => !isAt(known.byId.get(row.id), row));
    if (changed.length === 0 && versions.length === known.all.length) return known;
    const fresh = await this.compile(changed.map(({ id }) => id));
    const kept = versions.map(({ id }) => fresh.get(id) ?? known.byId.get(id));
    return snapshotOf(kept.filter((type) => type !== undefined));
  }

  /** The types of these ids, some in each turn of the event loop. Fields that are too new are put right by the next look. */
  private async compile(ids: readonly number[]): Promise<ReadonlyMap<number, CompiledType>> {
    const compiled = new Map<number, CompiledType>();
    for (let first = 0; first < ids.length; first += TYPES_AT_ONCE) {
      if (first > 0) await ownTurn();
      const definitions = await definitionsOf(this.reads, ids.slice(first, first + TYPES_AT_ONCE));
      for (const definition of definitions) compiled.set(definition.id, compileType(definition));
    }
    return compiled;
  }
}

function isAt(type: CompiledType | undefined, { version, stamp }: Version): boolean {
  return type?.version === version && (type.stamp ?? null) === stamp;
}

function snapshotOf(types: readonly CompiledType[]): Snapshot {
  const all = types.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    byName: new Map(all.map((type) => [type.name, type])),
    byId: new Map(all.map((type) => [type.id, type])),
    all,
  };
}

export function typeNotFound(name: string): DomainError {
  return new DomainError('type_not_found', `There is no content type "${name}".`);
}
