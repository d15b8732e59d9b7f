import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Job } from '../../common/jobs/job.decorator.js';
import { RetryPause } from '../local/retry-pause.js';
import { ClusterError } from './cluster/cluster-error.js';
import { FedIndex, feedStateOf, type FeedSources } from './fed-index.js';
import { FeedStart } from './feed-start.js';
import { ForeignIndexError } from './foreign-index-error.js';
import type { Generations } from './generations.js';
import type { Generation, Plan } from './plan.js';
import { requireAllShards, type ShardAnswer } from './cluster/shards.js';
import { searchUnavailable } from './search-unavailable.js';

const EVERY_MS = 500;
const MOST_PAUSE_MS = 30_000;
/** After an index was built that has another number of documents than the database. */
const MOST_PAUSE_OF_BUILD_MS = 600_000;
/** One turn of a build. Between two turns the index that is searched is kept up to date. */
const BUILT_MS = 1_000;
/** Milliseconds of pause for each one of copying: half of the time is left to requests. */
const PAUSE_PER_MS = 1;
const COUNTED_MS = 60_000;
/** All documents; that of the progress has no type. */
const DOCUMENTS = { query: { exists: { field: 'type_id' } } };

/** What the feed works with. */
interface Sources extends FeedSources {
  readonly generations: Generations;
  readonly log: Logger;
}

/** An index was built with another number of documents than the database has. */
class CountMismatchError extends Error {}

/**
 * Feeds OpenSearch with the documents of the database, twice a second. Where there is no index, or it is not known what
 * an index has missed, the next one is built and put in its place when it is complete; until then the former one is
 * searched. Its progress is stored in OpenSearch itself, so that any instance resumes it, and removes what is left over.
 */
export class IndexFeed {
  private serving: FedIndex | null = null;
  private building: FedIndex | null = null;
  /** Of an index that is to be built, until the list of changes is read. */
  private start: FeedStart | null = null;
  /** The index that the log has last said not to be fed from here. */
  private named: string | null = null;
  private readonly pause = new RetryPause();
  /** Between builds that were not whole. The index that is searched is fed meanwhile. */
  private readonly buildPause = new RetryPause();

  constructor(private readonly sources: Sources) {}

  @Job({
    name: 'search.feed',
    every: EVERY_MS,
    lease: 'search-feed',
    failure: 'OpenSearch was not fed: searches find records as they were until it is tried again',
  })
  async work(signal: AbortSignal): Promise<void> {
    if (!this.pause.isOver) return;
    try {
      await this.step(signal);
      this.pause.reset();
    } catch (error) {
      // The progress is read again: another instance may have gone on with the index.
      this.serving = this.building = this.start = null;
      // The stop waits for what is under way: no failure of OpenSearch.
      if (error instanceof ClusterError && error.kind === 'stopped') return;
      if (error instanceof CountMismatchError) this.buildPause.begin(MOST_PAUSE_OF_BUILD_MS);
      else this.pause.begin(MOST_PAUSE_MS);
      throw error instanceof ClusterError ? searchUnavailable(error) : error;
    }
  }

  /** Brings the index up to date, then does one turn of a build. */
  private async step(signal: AbortSignal): Promise<void> {
    const { serving, building, leftOver, foreign } = await this.sources.generations.plan({ signal });
    await this.clear(leftOver, signal);
    if (foreign) throw this.refusalOf(foreign);
    if (this.isLeft({ serving, building })) return;
    this.named = null;
    const isKnown = await this.keepUp(serving, signal);
    if (signal.aborted || (isKnown && !building) || !this.buildPause.isOver) return;
    await this.build(building ?? (await this.begin(serving, signal)), signal);
  }

  private async clear(leftOver: readonly Generation[], signal: AbortSignal): Promise<void> {
    const { generations, log } = this.sources;
    for (const one of leftOver) {
      await generations.remove(one, signal);
      log.info({ index: one.name }, 'removed an index of OpenSearch that is not searched');
    }
  }

  private refusalOf(foreign: Generation): ForeignIndexError {
    const error = new ForeignIndexError(foreign);
    if (this.named !== foreign.name) this.sources.log.error({ index: foreign.name }, error.message);
    this.named = foreign.name;
    return error;
  }

  /** Whether an index is left to the newer release that has made it, unless an operator has ordered another one. */
  private isLeft({ serving, building }: Pick<Plan, 'serving' | 'building'>): boolean {
    if (!serving?.isNewer || building) return false;
    if (this.named !== serving.name)
      this.sources.log.warn(
        { index: serving.name },
        'the index of OpenSearch is of a newer release, which has to feed it',
      );
    this.named = serving.name;
    return true;
  }

  /** @returns `false`: there is none, it is not known what it has missed, or it is one of another version */
  private async keepUp(index: Generation | null, signal: AbortSignal): Promise<boolean> {
    if (!index?.isCurrent) return false;
    if (this.serving?.name !== index.name) this.serving = await this.resumed(index, signal);
    if (!this.serving) return false;
    await this.serving.follow(signal);
    return true;
  }

  private async begin(serving: Generation | null, signal: AbortSignal): Promise<Generation> {
    const made = await this.sources.generations.create(signal);
    this.sources.log.info({ index: made.name, until: serving?.name ?? null }, 'building an index of OpenSearch');
    return made;
  }

  private async build(target: Generation, signal: AbortSignal): Promise<void> {
    const until = performance.now() + BUILT_MS;
    const index = await this.opened(target, signal, until);
    if (!index) return;
    while (!index.isComplete && performance.now() < until && !signal.aborted) {
      const from = performance.now();
      await index.follow(signal);
      await index.copyNext(signal);
      // Where it ends early, the turn is over.
      await sleep((performance.now() - from) * PAUSE_PER_MS, undefined, { signal }).catch(() => undefined);
    }
    if (index.isComplete && !signal.aborted) await this.finish(index, target, signal);
  }

  /** @returns `null`: the turn is over, or the build was given up and the next turn begins another one */
  private async opened(target: Generation, signal: AbortSignal, until: number): Promise<FedIndex | null> {
    const { name } = target;
    if (this.building?.name === name) return this.building;
    const state = await feedStateOf(this.sources.cluster, name, { signal });
    if (!state) {
      if (this.start?.name !== name) this.start = new FeedStart(target, this.sources);
      return (this.building = await this.start.advance(signal, until));
    }
    this.building = await FedIndex.resume(target, state, this.sources);
    if (!this.building) await this.sources.generations.remove(target, signal);
    return this.building;
  }

  private async finish(index: FedIndex, target: Generation, signal: AbortSignal): Promise<void> {
    const { generations, log } = this.sources;
    await index.follow(signal);
    if (signal.aborted) return;
    if (!(await this.isWhole(index, target, signal))) return;
    // Another database may have taken the name meanwhile.
    if ((await generations.plan({ signal })).building?.name !== index.name) return;
    await generations.serve(index.name, signal);
    this.serving = index;
    this.building = this.start = null;
    this.buildPause.reset();
    log.info({ index: index.name, refused: index.leftOut }, 'the index of OpenSearch is ready and searched');
  }

  /**
   * Compares the number of documents with that of the database, but for those that were changed meanwhile.
   *
   * @returns `false`: the signal was aborted before that was known
   * @throws {CountMismatchError} the index is removed
   */
  private async isWhole(index: FedIndex, target: Generation, signal: AbortSignal): Promise<boolean> {
    const { reads, generations, log } = this.sources;
    const count = await this.countOf(index.name, signal);
    const [row] = await reads.select<{ n: number | string }>('SELECT COUNT(*) AS n FROM search_documents');
    const documents = Number(row?.n ?? 0);
    const moved = await index.follow(signal);
    // What was not followed to its end says nothing, and another instance may have put the index in its place by now.
    if (signal.aborted) return false;
    if (count <= documents + moved && count + index.leftOut + moved >= documents) return true;
    log.error({ index: index.name, count, documents }, 'an index of OpenSearch is not whole and is built anew');
    await generations.remove(target, signal);
    throw new CountMismatchError(`The index ${index.name} has ${count} documents, and the database ${documents}.`);
  }

  /** The documents of an index. @throws {ClusterError} where a part of it does not answer */
  private async countOf(index: string, signal: AbortSignal): Promise<number> {
    const { cluster } = this.sources;
    const request = { method: 'POST', within: COUNTED_MS, signal } as const;
    requireAllShards(await cluster.ask<ShardAnswer>({ ...request, path: `/${index}/_refresh` }));
    const counted = await cluster.ask<ShardAnswer & { readonly count: number }>({
      ...request,
      path: `/${index}/_count`,
      body: DOCUMENTS,
    });
    requireAllShards(counted);
    return counted.count;
  }

  private async resumed(index: Generation, signal: AbortSignal): Promise<FedIndex | null> {
    const state = await feedStateOf(this.sources.cluster, index.name, { signal });
    return state && FedIndex.resume(index, state, this.sources);
  }
}
