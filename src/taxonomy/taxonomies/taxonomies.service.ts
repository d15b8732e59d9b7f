import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CachedValue } from '../../common/concurrency/cached-value.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { select } from '../../database/statements/statement.js';
import { taxonomyNotFound } from './taxonomy.errors.js';
import { TaxonomyEntity } from './taxonomy.entity.js';
import type { Taxonomy } from './taxonomy.js';

interface Snapshot {
  readonly byName: ReadonlyMap<string, Taxonomy>;
  readonly all: readonly Taxonomy[];
  readonly state: string;
}

/**
 * All taxonomies, from memory. A change in this process shows at once, one of another process within a second,
 * and at once to those who ask for a name that is not known yet.
 */
@Injectable()
export class TaxonomiesService {
  private readonly snapshot = new CachedValue<Snapshot>(snapshotOf([]), () => this.read());

  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
  ) {}

  async find(name: string): Promise<Taxonomy | null> {
    const known = (await this.snapshot.current()).byName.get(name);
    return known ?? (await this.snapshot.fresh()).byName.get(name) ?? null;
  }

  /** @throws {DomainError} `taxonomy_not_found` */
  async require(name: string): Promise<Taxonomy> {
    const taxonomy = await this.find(name);
    if (!taxonomy) throw taxonomyNotFound(name);
    return taxonomy;
  }

  /** A taxonomy as it is now. No other unit changes it, or the order of its terms, until this one ends. */
  async lock(manager: EntityManager, id: number): Promise<Taxonomy | null> {
    await this.dialect.hold(manager, 'taxonomies', { sql: 'id = ?', values: [id] });
    return manager.findOneBy(TaxonomyEntity, { id });
  }

  /** A taxonomy as it is now, for a new term. Others may add terms, but change nothing until the unit ends. */
  async lockForTerm(manager: EntityManager, id: number): Promise<Taxonomy | null> {
    await select(manager, `SELECT id FROM taxonomies WHERE id = ?${this.dialect.lockInShareMode}`, [id]);
    return manager.findOneBy(TaxonomyEntity, { id });
  }

  /** The taxonomy as it is in the database at this moment. @throws {DomainError} `taxonomy_not_found` */
  async requireLatest({ name }: Taxonomy): Promise<Taxonomy> {
    const taxonomy = (await this.snapshot.fresh()).byName.get(name);
    if (!taxonomy) throw taxonomyNotFound(name);
    return taxonomy;
  }

  /** The existing taxonomies of these names. */
  async named(names: Iterable<string>): Promise<ReadonlyMap<string, Taxonomy>> {
    const wanted = [...new Set(names)];
    const known = (await this.snapshot.current()).byName;
    const byName = wanted.every((name) => known.has(name)) ? known : (await this.snapshot.fresh()).byName;
    const found = wanted.flatMap((name) => byName.get(name) ?? []);
    return new Map(found.map((taxonomy) => [taxonomy.name, taxonomy]));
  }

  /** All taxonomies by name, without those that another process has made within the last second. */
  async all(): Promise<readonly Taxonomy[]> {
    return (await this.snapshot.current()).all;
  }

  /** All taxonomies by name, as they are in the database at this moment. */
  async latest(): Promise<readonly Taxonomy[]> {
    return (await this.snapshot.fresh()).all;
  }

  /**
   * The time at which a term of one of these taxonomies was last renamed, moved, merged or deleted.
   * Milliseconds since 1970, UTC; 0 where none of them is known.
   */
  async termsChangedAt(names: Iterable<string>): Promise<number> {
    const { byName } = await this.snapshot.current();
    let latest = 0;
    for (const name of names) latest = Math.max(latest, byName.get(name)?.termsChangedAt ?? 0);
    return latest;
  }

  /** A text that is another one as soon as a term anywhere is renamed, moved, merged or deleted. */
  async state(): Promise<string> {
    return (await this.snapshot.current()).state;
  }

  /** Has the next question read the database. */
  refresh(): void {
    this.snapshot.refresh();
  }

  private async read(): Promise<Snapshot> {
    return snapshotOf(await this.reads.of(TaxonomyEntity).find());
  }
}

function snapshotOf(taxonomies: readonly Taxonomy[]): Snapshot {
  const all = taxonomies.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    all,
    byName: new Map(all.map((taxonomy) => [taxonomy.name, taxonomy])),
    state: all.map(({ id, termsChangedAt }) => `${id}:${termsChangedAt}`).join(),
  };
}
