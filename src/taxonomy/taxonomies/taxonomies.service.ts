import { Injectable } from '@nestjs/common';
import { CachedValue } from '../../common/concurrency/cached-value.js';
import { Reads } from '../../database/statements/reads.js';
import { taxonomyNotFound } from './taxonomy.errors.js';
import { taxonomyOf, TAXONOMY_COLUMNS, type Taxonomy, type TaxonomyColumns } from './taxonomy.js';

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

  constructor(private readonly reads: Reads) {}

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

  /** All taxonomies by name. */
  async all(): Promise<readonly Taxonomy[]> {
    return (await this.snapshot.current()).all;
  }

  /**
   * When a term of one of these taxonomies was last renamed, moved, merged or deleted.
   * Milliseconds since 1970, UTC; 0 where none of them is known.
   */
  async termsChangedAt(names: Iterable<string>): Promise<number> {
    const { byName } = await this.snapshot.current();
    return Math.max(0, ...[...names].map((name) => byName.get(name)?.termsChangedAt ?? 0));
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
    const sql = `SELECT ${TAXONOMY_COLUMNS} FROM taxonomies`;
    return snapshotOf((await this.reads.select<TaxonomyColumns>(sql)).map(taxonomyOf));
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
