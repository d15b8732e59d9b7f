import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Counter, Labels } from '../../common/metrics/metrics.js';
import type { SearchDocument } from '../search-index.js';
import { withStopWords } from '../text/analysis/stop-words.js';
import type { Cluster } from './cluster/cluster.js';
import { ClusterError } from './cluster/cluster-error.js';
import type { Generation } from './plan.js';

/** A write of the document of a record. */
export interface DocumentWrite {
  readonly id: number;
  /** The number of its change. A document that is there with the same version or a higher one stays. */
  readonly version: number;
  /** `null`: it is deleted. */
  readonly document: SearchDocument | null;
}

/** @see https://docs.opensearch.org/latest/api-reference/document-apis/bulk/#response */
interface BulkAnswer {
  readonly items: readonly Readonly<Record<'index' | 'delete', ItemAnswer | undefined>>[];
}

interface ItemAnswer {
  readonly status: number;
  readonly error?: { readonly type?: string };
}

/** An index that is written. */
export type WrittenIndex = Pick<Generation, 'name' | 'feedAlias'>;

interface RefusedWrite {
  readonly id: number;
  readonly reason: string;
}

const WITHIN_MS = 30_000;
const TRIES = 6;
/** After the first refusal; twice as long after each further one: six seconds in all. */
const FIRST_PAUSE_MS = 200;
/** Records that one line of the log names. */
const MOST_NAMED = 10;
const OLDER = 409;
const BUSY = 429;

/** Writes documents by bulk requests, and reads the result of each of them. */
export class BulkWrites {
  constructor(
    private readonly cluster: Cluster,
    private readonly log: Logger,
    private readonly refusals: Counter<Labels>,
  ) {}

  /**
   * Writes documents, those that are refused for now up to six times. What is refused for good is logged, counted and left out.
   *
   * @param signal aborted: no further try begins, and the one under way has some seconds left
   * @returns how many documents were left out
   * @throws {ClusterError} the result of some is unknown, so all have to be written again
   */
  async write(index: WrittenIndex, writes: readonly DocumentWrite[], signal: AbortSignal): Promise<number> {
    let left = writes;
    const refused: RefusedWrite[] = [];
    for (let tries = 1; left.length > 0; tries += 1) {
      const outcome = sorted(left, await this.send(index, left, signal));
      refused.push(...outcome.refused);
      left = outcome.busy;
      if (left.length === 0) break;
      if (tries === TRIES) throw new ClusterError('busy', 'OpenSearch takes no more documents now');
      // Where it ends early, the next request is refused.
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { signal }).catch(() => undefined);
    }
    this.report(index, refused);
    return refused.length;
  }

  private async send(
    { feedAlias }: WrittenIndex,
    writes: readonly DocumentWrite[],
    signal: AbortSignal,
  ): Promise<(ItemAnswer | undefined)[]> {
    try {
      const { items } = await this.cluster.ask<BulkAnswer>({
        method: 'POST',
        path: `/${feedAlias}/_bulk`,
        query: { require_alias: true },
        lines: writes.flatMap(linesOf),
        within: WITHIN_MS,
        signal,
      });
      return items.map((item) => item.index ?? item.delete);
    } catch (error) {
      // The whole request was refused, as each of its items may be.
      if (!(error instanceof ClusterError && error.kind === 'busy')) throw error;
      return writes.map(() => ({ status: BUSY }));
    }
  }

  private report({ name: index }: WrittenIndex, refused: readonly RefusedWrite[]): void {
    if (refused.length === 0) return;
    this.refusals.add({}, refused.length);
    this.log.error(
      { index, documents: refused.length, records: refused.slice(0, MOST_NAMED) },
      'OpenSearch refuses documents: these records are not found',
    );
  }
}

/** The writes that were refused for now, and those that were refused for good. @throws {ClusterError} */
function sorted(
  writes: readonly DocumentWrite[],
  answers: readonly (ItemAnswer | undefined)[],
): { readonly busy: readonly DocumentWrite[]; readonly refused: readonly RefusedWrite[] } {
  const busy: DocumentWrite[] = [];
  const refused: RefusedWrite[] = [];
  for (const [n, write] of writes.entries()) {
    const answer = answers[n];
    if (answer === undefined || answer.status >= 500) throw itemFailure(answer);
    if (answer.status === BUSY) busy.push(write);
    else if (isRefused(answer, write)) refused.push({ id: write.id, reason: answer.error?.type ?? 'unknown' });
  }
  return { busy, refused };
}

function linesOf({ id, version, document }: DocumentWrite): object[] {
  const place = { _id: String(id), version, version_type: 'external' };
  return document === null ? [{ delete: place }] : [{ index: place }, sourceOf(document)];
}

/** Texts as the analyzer makes them: the database keeps stop words of its own in another spelling. */
function sourceOf({ id, typeId, status, sortAt, title, terms, body }: SearchDocument): object {
  const texts = { title: withStopWords(title), terms: withStopWords(terms), body: withStopWords(body) };
  return { id, type_id: typeId, status, sort_at: sortAt, ...texts };
}

/** No refusal: a newer document is there already, or one to be deleted is not there. @throws {ClusterError} `missing` */
function isRefused({ status, error }: ItemAnswer, { document }: DocumentWrite): boolean {
  if (status < 300 || status === OLDER) return false;
  if (status !== 404) return true;
  if (document === null && error === undefined) return false;
  throw new ClusterError('missing', 'the index of OpenSearch is gone');
}

function itemFailure(answer: ItemAnswer | undefined): ClusterError {
  if (answer === undefined) return new ClusterError('refused', 'OpenSearch has answered fewer writes than were sent');
  return ClusterError.ofStatus(answer.status, answer.error?.type ?? 'without a reason');
}
