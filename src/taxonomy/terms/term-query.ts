import { invalidQuery, requireKnown } from '../../common/http/url-query.js';
import { pageQuery, type PageQuery } from '../../common/page-query.js';
import { nameKey } from './term-keys.js';

/** Which terms of a taxonomy a client asks for. */
export interface TermQuery extends PageQuery {
  readonly isTree: boolean;
  /** What the names begin with, without case and marks; empty: anything. */
  readonly prefix: string;
}

const KNOWN = new Set(['page', 'per_page', 'q', 'format']);
const NOT_IN_TREES = ['page', 'per_page', 'q'];
const MAX_Q_LENGTH = 255;

/** @throws {DomainError} `invalid_query`, naming the parameter */
export function termQuery(query: URLSearchParams): TermQuery {
  requireKnown(query, (name) => KNOWN.has(name));
  const isTree = isTreeOf(query.get('format'));
  const misplaced = isTree ? NOT_IN_TREES.find((name) => query.has(name)) : undefined;
  if (misplaced !== undefined) {
    throw invalidQuery(misplaced, 'exclusive', `A tree is whole: send ${misplaced} without format=tree.`);
  }
  return { isTree, prefix: prefixOf(query.get('q') ?? ''), ...pageQuery(query, { usual: 1_000, most: 1_000 }) };
}

function isTreeOf(format: string | null): boolean {
  if (format === null || format === 'flat') return false;
  if (format === 'tree') return true;
  throw invalidQuery('format', 'enum', 'format must be flat or tree.');
}

function prefixOf(q: string): string {
  if (Array.from(q).length <= MAX_Q_LENGTH) return nameKey(q);
  throw invalidQuery('q', 'max_length', `q must have ${MAX_Q_LENGTH} characters or fewer.`);
}
