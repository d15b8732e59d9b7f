import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Job } from '../../common/jobs/job.decorator.js';
import { RetryPause } from '../local/retry-pause.js';
import { ClusterError } from './cluster-error.js';
import { FedIndex, feedStateOf, type FeedSources } from './fed-index.js';
import type { Generation, Generations } from './generations.js';
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
      this.serving = this.building = null;
      if (error instanceof CountMismatchError) this.buildPause.begin(MOST_PAUSE_OF_BUILD_MS);
      else this.pause.begin(MOST_PAUSE_MS);
      throw error instanceof ClusterError ? searchUnavailable(error) : error;
    }
  }

  /** Brings the index up to date, then does one turn of a build. */
  private async step(signal: AbortSignal): Promise<void> {
    const { generations, log } = this.sources;
    const { serving, building, leftOver } = await generations.plan();
    for (const one of leftOver) {
      await generations.remove(one);
      log.info({ index: one.name }, 'removed an index of OpenSearch that is not searched');
    }
    const isKnown = serving !== null && (await this.keepUp(serving, signal));
    if (signal.aborted || (isKnown && !building) || !this.buildPause.isOver) return;
    await this.build(building ?? (await this.begin(serving)), serving, signal);
  }

  /** @returns `false`: it is not known what the index has missed, or it is one of another version */
  private async keepUp({ name, isCurrent }: Generation, signal: AbortSignal): Promise<boolean> {
    if (!isCurrent) return false;
    if (this.serving?.name !== name) this.serving = await this.resumed(name);
    if (!this.serving) return false;
    await this.serving.follow(signal);
    return true;
  }

  private async begin(serving: Generation | null): Promise<Generation> {
    const made = await this.sources.generations.create();
    this.sources.log.info({ index: made.name, until: serving?.name ?? null }, 'building an index of OpenSearch');
    return made;
  }

  private async build(target: Generation, serving: Generation | null, signal: AbortSignal): Promise<void> {
    const index = await this.opened(target);
    if (!index) return;
    const until = performance.now() + BUILT_MS;
    while (!index.isComplete && performance.now() < until && !signal.aborted) {
      const from = performance.now();
      await index.follow(signal);
      await index.copyNext();
      await sleep((performance.now() - from) * PAUSE_PER_MS);
    }
    if (index.isComplete && !signal.aborted) await this.finish(index, target, serving, signal);
  }

  /** @returns `null`: the build was given up, and the next turn begins another one */
  private async opened(target: Generation): Promise<FedIndex | null> {
    const { name } = target;
    if (this.building?.name === name) return this.building;
    const state = await feedStateOf(this.sources.cluster, name);
    this.building = state ? await FedIndex.resume(name, state, this.sources) : await FedIndex.begin(name, this.sources);
    if (!this.building) await this.sources.generations.remove(target);
    return this.building;
  }

  private async finish(
    index: FedIndex,
    target: Generation,
    serving: Generation | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { generations, log } = this.sources;
    await index.follow(signal);
    if (signal.aborted) return;
    if (!(await this.isWhole(index, target, signal))) return;
    await generations.serve(index.name, serving);
    this.serving = index;
    this.building = null;
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
    const { cluster, reads, generations, log } = this.sources;
    await cluster.ask({ method: 'POST', path: `/${index.name}/_refresh`, within: COUNTED_MS });
    const { count } = await cluster.ask<{ count: number }>({
      method: 'POST',
      path: `/${index.name}/_count`,
      body: DOCUMENTS,
      within: COUNTED_MS,
    });
    const [row] = await reads.select<{ n: number | string }>('SELECT COUNT(*) AS n FROM search_documents');
    const documents = Number(row?.n ?? 0);
    const moved = await index.follow(signal);
    // What was not followed to its end says nothing, and another instance may have put the index in its place by now.
    if (signal.aborted) return false;
    if (count <= documents + moved && count + index.leftOut + moved >= documents) return true;
    log.error({ index: index.name, count, documents }, 'an index of OpenSearch is not whole and is built anew');
    await generations.remove(target);
    throw new CountMismatchError(`The index ${index.name} has ${count} documents, and the database ${documents}.`);
  }

  private async resumed(name: string): Promise<FedIndex | null> {
    const state = await feedStateOf(this.sources.cluster, name);
    return state && FedIndex.resume(name, state, this.sources);
  }
}
