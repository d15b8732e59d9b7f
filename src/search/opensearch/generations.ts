import type { Cluster, RequestLimits } from './cluster/cluster.js';
import { ClusterError } from './cluster/cluster-error.js';
import type { DatabaseIdentity } from './database-identity.js';
import { definitionFor, feedAlias, searchAlias, VERSION } from './definition.js';
import { IndexList, type ListedIndex } from './index-list.js';
import { planOf, type Generation, type Plan } from './plan.js';

/** A change of the cluster state is published to all nodes first. */
const WITHIN_MS = 60_000;
/** Numbers that others may take between the look at what there is and the creation. */
const TRIES = 5;
/** The reason of a refusal: an index, opened or closed, has the name already. */
const TAKEN = 'resource_already_exists_exception';

/** The numbered indexes behind an alias: creates them, points the alias to one of them and removes the others. */
export class Generations {
  private readonly list: IndexList;

  constructor(
    private readonly cluster: Cluster,
    private readonly identity: DatabaseIdentity,
  ) {
    this.list = new IndexList(cluster);
  }

  /** @throws {ClusterError} */
  async plan(limits?: RequestLimits): Promise<Plan> {
    return planOf(await this.list.read('open', limits), await this.identity.read());
  }

  /** Makes the next index, empty and not searched. @throws {ClusterError} */
  async create(signal?: AbortSignal): Promise<Generation> {
    const database = await this.identity.read();
    for (let tries = 1; ; tries += 1) {
      // A closed one has its number too.
      const highest = (await this.all(signal)).at(-1)?.number ?? 0;
      const name = `${this.cluster.alias}-${await this.identity.nextNumber(highest)}`;
      const feed = feedAlias(name, database);
      try {
        await this.change('PUT', `/${name}`, { ...definitionFor(database), aliases: { [feed]: {} } }, signal);
      } catch (error) {
        if (tries < TRIES && error instanceof ClusterError && error.reason === TAKEN) continue;
        throw error;
      }
      return this.list.listed(name, { version: VERSION, database }, [feed]);
    }
  }

  /** Points the aliases that are searched to an index, and to no other, in one step. @throws {ClusterError} */
  async serve(name: string, signal?: AbortSignal): Promise<void> {
    const { alias } = this.cluster;
    const searched = [alias, searchAlias(alias, await this.identity.read())];
    const others = (await this.all(signal)).filter((one) => one.name !== name);
    const actions = [
      ...searched.map((one) => ({ add: { index: name, alias: one } })),
      ...others.flatMap(({ name: index, aliases }) =>
        aliases.filter((one) => searched.includes(one)).map((one) => ({ remove: { index, alias: one } })),
      ),
    ];
    await this.change('POST', '/_aliases', { actions }, signal);
  }

  /** One that is gone already is no failure. @throws {ClusterError} */
  async remove({ name }: Pick<Generation, 'name'>, signal?: AbortSignal): Promise<void> {
    try {
      await this.change('DELETE', `/${name}`, null, signal);
    } catch (error) {
      if (!(error instanceof ClusterError && error.kind === 'missing')) throw error;
    }
  }

  /**
   * Removes the indexes of other databases, so that this one can have the name.
   *
   * @returns their names
   * @throws {ClusterError}
   */
  async removeForeign(): Promise<readonly string[]> {
    const own = await this.identity.read();
    const all = await this.all();
    const foreign = all.filter(({ database }) => database !== null && database !== own);
    for (const one of foreign) await this.remove(one);
    // What the other database may still send by these names reaches none of this one.
    await this.identity.nextNumber((all.at(-1)?.number ?? 1) - 1);
    return foreign.map(({ name }) => name);
  }

  /** With those that an operator has closed. */
  private all(signal?: AbortSignal): Promise<readonly ListedIndex[]> {
    return this.list.read('open,closed', signal && { signal });
  }

  private async change(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object | null,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    await this.cluster.ask({ method, path, within: WITHIN_MS, ...(body && { body }), ...(signal && { signal }) });
  }
}
