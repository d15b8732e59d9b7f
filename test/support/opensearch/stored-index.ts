import { Mapping, type IndexedDocument } from './mapping.js';
import { compile } from './queries.js';
import { membersOf, onlyMember, refuse, Refusal, type Json } from './refusal.js';

interface Stored {
  readonly version: number;
  readonly sequence: number;
  /** `null`: it was deleted, which is remembered. */
  readonly source: Json | null;
  readonly document: IndexedDocument | null;
}

/** How a write says which version it is. */
export interface WriteVersion {
  readonly version?: unknown;
  readonly version_type?: unknown;
}

interface Written {
  readonly _version: number;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found';
}

export interface Hit {
  readonly id: string;
  readonly score: number;
  readonly sort: readonly unknown[];
}

const SEARCH_BODY = ['query', 'from', 'size', 'sort', 'track_total_hits', '_source', 'timeout', 'track_scores'];
const USUAL_SIZE = 10;

/** One index: what was written, and what of it can be found since the last refresh. */
export class StoredIndex {
  readonly aliases = new Set<string>();
  /** Closed by an operator: it is there, and neither searched nor written. */
  isClosed = false;
  readonly mapping: Mapping;
  private readonly live = new Map<string, Stored>();
  private found: readonly IndexedDocument[] = [];
  private sequence = 0;
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    readonly name: string,
    body: Json,
  ) {
    this.mapping = new Mapping(body);
    const { refreshMs } = this.mapping;
    if (refreshMs !== null)
      this.timer = setInterval(() => {
        this.refresh();
      }, refreshMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  refresh(): void {
    this.found = [...this.live.values()].flatMap(({ document }) => document ?? []);
  }

  /** @throws {Refusal} */
  put(id: string, version: WriteVersion, document: Json): Written {
    const next = this.nextVersion(id, version);
    const indexed = this.mapping.indexed(id, document);
    const wasThere = this.live.get(id)?.document != null;
    return this.store(
      id,
      next,
      { source: this.mapping.sourceOf(document), document: indexed },
      wasThere ? 'updated' : 'created',
    );
  }

  /** @throws {Refusal} */
  delete(id: string, version: WriteVersion): Written {
    const next = this.nextVersion(id, version);
    const wasThere = this.live.get(id)?.document != null;
    return this.store(id, next, { source: null, document: null }, wasThere ? 'deleted' : 'not_found');
  }

  /** A document as it is now, found or not. */
  get(id: string): { readonly _version: number; readonly _source: Json } | null {
    const stored = this.live.get(id);
    return stored?.source ? { _version: stored.version, _source: stored.source } : null;
  }

  count(body: unknown): number {
    const { query } = membersOf(body, ['query'], 'count');
    const matches = compile(query, this.mapping.fields);
    return this.found.filter((document) => matches(document) !== null).length;
  }

  search(body: unknown): { readonly total: number; readonly hits: readonly Hit[] } {
    const asked = membersOf(body, SEARCH_BODY, 'search');
    const from = Number(asked.from ?? 0);
    const size = Number(asked.size ?? USUAL_SIZE);
    if (from + size > this.mapping.mostResults)
      refuse(
        'illegal_argument_exception',
        `Result window is too large, from + size must be less than or equal to: [${this.mapping.mostResults}]`,
      );
    if (asked.track_total_hits !== true) refuse('parsing_exception', 'The double counts all hits only');
    const matches = compile(asked.query, this.mapping.fields);
    const order = this.order(asked.sort);
    const hits = this.found.flatMap((document) => {
      const score = matches(document);
      return score === null ? [] : [{ id: document.id, score, sort: order.map((key) => key.of(document, score)) }];
    });
    hits.sort((a, b) => compared(a.sort, b.sort, order));
    return { total: hits.length, hits: hits.slice(from, from + size) };
  }

  private nextVersion(id: string, { version, version_type: type }: WriteVersion): number {
    const current = this.live.get(id)?.version ?? -1;
    if (version === undefined && type === undefined) return Math.max(0, current) + 1;
    const asked = requireVersion(version, type);
    if (type === 'external' ? asked > current : asked >= current) return asked;
    throw new Refusal(
      409,
      'version_conflict_engine_exception',
      `[${id}]: version conflict, current version [${current}] is higher or equal to the one provided [${asked}]`,
    );
  }

  private store(
    id: string,
    version: number,
    state: Pick<Stored, 'source' | 'document'>,
    result: Written['result'],
  ): Written {
    this.sequence += 1;
    this.live.set(id, { version, sequence: this.sequence, ...state });
    return { _version: version, _seq_no: this.sequence, _primary_term: 1, result };
  }

  private order(sort: unknown): SortKey[] {
    if (!Array.isArray(sort)) return refuse('parsing_exception', 'The double wants to know the order');
    return sort.map((entry) => {
      const [name, direction] = onlyMember(entry, 'sort');
      if (direction !== 'asc' && direction !== 'desc')
        refuse('parsing_exception', `[${String(direction)}] is no order`);
      if (name !== '_score' && this.mapping.fields.get(name)?.kind !== 'long')
        refuse('illegal_argument_exception', `Text fields are not optimised for sorting: [${name}]`);
      return {
        isDescending: direction === 'desc',
        of: (document, score) => (name === '_score' ? score : Number(document.values.get(name) ?? -Infinity)),
      };
    });
  }
}

function requireVersion(version: unknown, type: unknown): number {
  if (!Number.isSafeInteger(version) || Number(version) < 0)
    refuse('action_request_validation_exception', `illegal version value [${String(version)}]`);
  if (type !== 'external' && type !== 'external_gte')
    refuse('action_request_validation_exception', `The double has no version type [${String(type)}]`);
  return Number(version);
}

interface SortKey {
  readonly isDescending: boolean;
  readonly of: (document: IndexedDocument, score: number) => number;
}

function compared(a: readonly number[], b: readonly number[], order: readonly SortKey[]): number {
  for (const [n, { isDescending }] of order.entries()) {
    const difference = (a[n] ?? 0) - (b[n] ?? 0);
    if (difference !== 0) return isDescending ? -difference : difference;
  }
  return 0;
}
