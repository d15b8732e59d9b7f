import type { Cluster, RequestLimits } from './cluster/cluster.js';
import { feedAlias, PROGRAM, searchAlias, VERSION, type IndexMeta } from './definition.js';
import type { Generation } from './plan.js';

/** @see https://docs.opensearch.org/latest/api-reference/index-apis/get-index/ */
type Answer = Readonly<
  Record<string, { readonly aliases?: object; readonly mappings?: { readonly _meta?: Partial<IndexMeta> } }>
>;

/** An index that there is, with the names of its aliases. */
export interface ListedIndex extends Generation {
  readonly aliases: readonly string[];
}

const WITHIN_MS = 10_000;

/** The indexes that this program has made in OpenSearch, for whichever database. */
export class IndexList {
  private readonly pattern: RegExp;

  constructor(private readonly cluster: Cluster) {
    this.pattern = new RegExp(`^${cluster.alias}-([1-9]\\d{0,8})$`);
  }

  /**
   * In the order of their numbers.
   *
   * @param states `open`, or `open,closed`: one that an operator has closed is neither searched nor written
   * @throws {ClusterError}
   */
  async read(states: 'open' | 'open,closed', limits: RequestLimits = {}): Promise<readonly ListedIndex[]> {
    const found = await this.cluster.ask<Answer>({
      method: 'GET',
      path: `/${this.cluster.alias}-*`,
      query: { allow_no_indices: true, expand_wildcards: states, filter_path: '*.aliases,*.mappings._meta' },
      within: WITHIN_MS,
      ...limits,
    });
    const all = Object.entries(found).flatMap(([name, { aliases = {}, mappings }]) => {
      const meta = mappings?._meta;
      // An index of another program may have such a name.
      if (!this.pattern.test(name) || meta?.program !== PROGRAM) return [];
      return [this.listed(name, meta, Object.keys(aliases))];
    });
    return all.sort((a, b) => a.number - b.number);
  }

  /** @param meta what it says of itself; one that says nothing is of no database, and of an older version */
  listed(name: string, { version = 0, database }: Partial<IndexMeta>, aliases: readonly string[]): ListedIndex {
    const { alias } = this.cluster;
    return {
      name,
      number: Number(this.pattern.exec(name)?.[1]),
      database: database ?? null,
      isServing: aliases.includes(alias),
      isNewer: version > VERSION,
      isCurrent: version === VERSION && database !== undefined,
      isSearchable: database !== undefined && aliases.includes(searchAlias(alias, database)),
      feedAlias: feedAlias(name, database ?? 'none'),
      aliases,
    };
  }
}
