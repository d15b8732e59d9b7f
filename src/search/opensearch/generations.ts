import type { Cluster } from './cluster.js';
import { ClusterError } from './cluster-error.js';
import { DEFINITION, META, VERSION, type IndexMeta } from './definition.js';

/** An index of OpenSearch that this program made: `cms-3`. */
export interface Generation {
  readonly name: string;
  readonly number: number;
  /** Whether the alias that is searched points to it. */
  readonly isServing: boolean;
  /** Whether this version of the program can write into it and search it. */
  readonly isCurrent: boolean;
}

/** The indexes that there are, by what is to be done with them. */
export interface Plan {
  readonly serving: Generation | null;
  /** One that is being built to take its place. */
  readonly building: Generation | null;
  /** Former indexes, and builds that were given up: to be removed. */
  readonly leftOver: readonly Generation[];
}

/** @see https://docs.opensearch.org/latest/api-reference/index-apis/get-index/ */
type FoundIndexes = Readonly<
  Record<string, { readonly aliases?: object; readonly mappings?: { readonly _meta?: Partial<IndexMeta> } }>
>;

const ASKED_MS = 10_000;
/** Longer: a change of the cluster state is published to all nodes first. */
const CHANGED_MS = 60_000;

/** The alias by which documents are written into an index. A write by the name of a removed index would create it again. */
export function feedAlias(index: string): string {
  return `${index}-feed`;
}

/** The numbered indexes behind an alias: creates them, points the alias to one of them and removes the others. */
export class Generations {
  private readonly pattern: RegExp;

  constructor(private readonly cluster: Cluster) {
    this.pattern = new RegExp(`^${cluster.alias}-([1-9]\\d{0,8})$`);
  }

  /** @throws {ClusterError} */
  async plan(): Promise<Plan> {
    const all = await this.all();
    const serving = all.filter(({ isServing }) => isServing).at(-1) ?? null;
    const building = all.filter(({ number }) => number > (serving?.number ?? 0)).at(-1) ?? null;
    const kept = building?.isCurrent ? building : null;
    return { serving, building: kept, leftOver: all.filter((one) => one !== serving && one !== kept) };
  }

  /** Makes the next index, empty and not searched. @throws {ClusterError} */
  async create(): Promise<Generation> {
    const number = ((await this.all()).at(-1)?.number ?? 0) + 1;
    const name = `${this.cluster.alias}-${number}`;
    const aliases = { [feedAlias(name)]: {} };
    await this.cluster.ask({ method: 'PUT', path: `/${name}`, body: { ...DEFINITION, aliases }, within: CHANGED_MS });
    return { name, number, isServing: false, isCurrent: true };
  }

  /** Points the alias to an index, and no more to the former one, in one step. @throws {ClusterError} */
  async serve(name: string, former: Generation | null): Promise<void> {
    const { alias } = this.cluster;
    const actions = [{ add: { index: name, alias } }, ...(former ? [{ remove: { index: former.name, alias } }] : [])];
    await this.cluster.ask({ method: 'POST', path: '/_aliases', body: { actions }, within: CHANGED_MS });
  }

  /** One that is gone already is no failure. @throws {ClusterError} */
  async remove({ name }: Generation): Promise<void> {
    try {
      await this.cluster.ask({ method: 'DELETE', path: `/${name}`, within: CHANGED_MS });
    } catch (error) {
      if (!(error instanceof ClusterError && error.kind === 'missing')) throw error;
    }
  }

  /** In the order of their numbers. */
  private async all(): Promise<Generation[]> {
    const found = await this.cluster.ask<FoundIndexes>({
      method: 'GET',
      path: `/${this.cluster.alias}-*`,
      query: { allow_no_indices: true, expand_wildcards: 'open' },
      within: ASKED_MS,
    });
    const own = Object.entries(found).flatMap(([name, { aliases = {}, mappings }]) => {
      const number = Number(this.pattern.exec(name)?.[1]);
      const meta = mappings?._meta;
      // An index of another program may have such a name.
      if (Number.isNaN(number) || meta?.program !== META.program) return [];
      return [{ name, number, isServing: this.cluster.alias in aliases, isCurrent: meta.version === VERSION }];
    });
    return own.sort((a, b) => a.number - b.number);
  }
}
