import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../../common/access/caller.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { pageMeta, wholeList, type Envelope, type ListEnvelope, type ListMeta } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import { invalidQuery, pageParameters, readQuery, type PageQuery } from '../../common/http/url-query.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { arrayText } from '../../common/text/text-pieces.js';
import { Reads } from '../../database/statements/reads.js';
import { LAST_CODE_POINT, type SqlValue } from '../../database/statements/statement.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { termNotFound } from '../taxonomies/taxonomy.errors.js';
import { nameKey } from './term-keys.js';
import { termReference } from './term-reference.js';
import { STORED_COLUMNS, storedTermOf, type StoredTerm, type StoredTermColumns } from './term-row.js';
import { TermUsageHost } from './term-usage.port.js';
import { termView, type TermView } from './term-view.js';

/** A term, and the terms below it. */
interface TermNode {
  readonly term: StoredTerm;
  readonly children: TermNode[];
}

/** @param terms in the order of the tree: a term, all that stand under it, its next sibling */
export function treeOf(terms: readonly StoredTerm[]): TermNode[] {
  const roots: TermNode[] = [];
  const nodes = new Map<number | null, TermNode>();
  for (const term of terms) {
    const node = { term, children: [] };
    nodes.set(term.id, node);
    (nodes.get(term.parentId)?.children ?? roots).push(node);
  }
  return roots;
}

/** A term with those below it as JSON, term by term. */
export function* nodeText({ term, children }: TermNode, counts: ReadonlyMap<number, number>): Generator<string> {
  yield JSON.stringify(termView(term, counts.get(term.id) ?? 0)).slice(0, -1);
  yield ',"children":';
  yield* arrayText(children, (child) => nodeText(child, counts));
  yield '}';
}

/** A tree is one answer: more than these are asked for in pages. */
const MAX_TREE = 10_000;
/** Terms whose records are counted at once. */
const PORTION = 1_000;

const NOT_IN_TREES = ['page', 'per_page', 'q', 'contains'];
const MAX_WORDS_LENGTH = 255;
const PARAMETERS = {
  ...pageParameters({ usual: 1_000, most: 1_000 }),
  q: (sent: string | null) => nameKeyOf('q', sent),
  contains: (sent: string | null) => nameKeyOf('contains', sent),
  format: isTreeOf,
};
/** A term, then those under it. */
const TREE_ORDER: Condition = { sql: 'sort_key', values: [] };

/** The terms of a taxonomy that a client asks for. */
interface TermQuery extends PageQuery {
  readonly isTree: boolean;
  /** The beginning of the names, without case and marks; empty: anything. */
  readonly prefix: string;
  /** A text that stands anywhere in the names, without case and marks; empty: anything. */
  readonly part: string;
}

/** The terms that are asked for, as far as the caller may see them. */
interface Visible extends Condition {
  /** All of the taxonomy may be gone through: no index leads to the terms, or they are a tree. */
  readonly isLong: boolean;
}

/** Terms, and whether they may stand under one another. */
interface TermList extends ListEnvelope<TermView> {
  readonly meta: ListMeta & { readonly hierarchical: boolean };
}

/** Terms as callers see them, each with the number of its records that they may see. */
@Injectable()
export class TermPages {
  constructor(
    private readonly reads: Reads,
    private readonly host: TermUsageHost,
  ) {}

  /** @throws {DomainError} `invalid_query` */
  async list(taxonomy: Taxonomy, query: URLSearchParams, caller: Caller): Promise<Answer<Buffer>> {
    const asked = termQuery(query);
    return asked.isTree ? this.tree(taxonomy, caller) : Answer.listed(await this.page(taxonomy, asked, caller));
  }

  /** @throws {DomainError} `term_not_found` */
  async one(taxonomy: Taxonomy, reference: string, caller: Caller): Promise<Envelope<TermView>> {
    const which = termReference(reference);
    if (!which) throw termNotFound(taxonomy.name, reference);
    const condition = { sql: `taxonomy = ? AND ${which.column} = ?`, values: [taxonomy.name, which.value] };
    const visible = await this.visible(taxonomy, condition, caller);
    const [term] = await this.views(await this.select(visible, 1, 0), caller);
    if (!term) throw termNotFound(taxonomy.name, reference);
    return { data: term };
  }

  private async page(taxonomy: Taxonomy, query: TermQuery, caller: Caller): Promise<TermList> {
    const { page, perPage } = query;
    const offset = (page - 1) * perPage;
    const visible = await this.visible(taxonomy, conditionOf(taxonomy, query), caller);
    const condition = { ...visible, isLong: visible.isLong || query.part !== '' };
    const terms = await this.select(condition, perPage, offset, orderOf(query));
    const isLast = terms.length < perPage && (terms.length > 0 || page === 1);
    const [data, total] = await Promise.all([
      this.views(terms, caller),
      isLast ? offset + terms.length : this.count(condition),
    ]);
    return { data, meta: { ...pageMeta(total, query), hierarchical: taxonomy.isHierarchical } };
  }

  private async tree(taxonomy: Taxonomy, caller: Caller): Promise<Answer<Buffer>> {
    const { name } = taxonomy;
    const visible = await this.visible(taxonomy, { sql: 'taxonomy = ?', values: [name] }, caller);
    const terms = await this.select({ ...visible, isLong: true }, MAX_TREE + 1, 0);
    if (terms.length > MAX_TREE) {
      throw invalidQuery('format', 'max', `${name} has more than ${MAX_TREE} terms. Ask for pages of format=flat.`);
    }
    const counts = await this.counts(terms, caller);
    const meta = { ...wholeList(terms).meta, hierarchical: taxonomy.isHierarchical };
    return Answer.listed({ data: treeOf(terms), meta }, (node) => nodeText(node, counts));
  }

  /**
   * A term that was made by being assigned is as visible as the records that hold it: its name may be all that there is
   * to know of a draft. What was made by hand is for all readers, as is a tree, in which nothing is made otherwise.
   */
  private async visible({ isHierarchical }: Taxonomy, condition: Condition, caller: Caller): Promise<Visible> {
    const all = { ...condition, isLong: false };
    if (isHierarchical || isAllowed(caller, 'taxonomy:write')) return all;
    const held = await this.host.get().visibleTerms(caller);
    if (held === null) return all;
    return {
      sql: `${condition.sql} AND (made_by_hand = 1 OR ${held.sql})`,
      values: [...condition.values, ...held.values],
      isLong: true,
    };
  }

  private async views(terms: readonly StoredTerm[], caller: Caller): Promise<TermView[]> {
    const counts = await this.counts(terms, caller);
    return terms.map((term) => termView(term, counts.get(term.id) ?? 0));
  }

  /** Counts of very many terms are asked for some at a time, each in a turn of the event loop of its own. */
  private async counts(terms: readonly StoredTerm[], caller: Caller): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>();
    for (let start = 0; start < terms.length; start += PORTION) {
      if (start > 0) await ownTurn();
      const ids = terms.slice(start, start + PORTION).map(({ id }) => id);
      for (const [id, count] of await this.host.get().counts(ids, caller)) counts.set(id, count);
    }
    return counts;
  }

  private async select(
    condition: Visible,
    limit: number,
    offset: number,
    order: Condition = TREE_ORDER,
  ): Promise<StoredTerm[]> {
    const { sql, values } = condition;
    const rows = await this.read<StoredTermColumns>(
      condition,
      `SELECT ${STORED_COLUMNS} FROM terms WHERE ${sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
      [...values, ...order.values, limit, offset],
    );
    return rows.map(storedTermOf);
  }

  private async count(condition: Visible): Promise<number> {
    const { sql, values } = condition;
    const rows = await this.read<{ n: number | string }>(
      condition,
      `SELECT COUNT(*) AS n FROM terms WHERE ${sql}`,
      values,
    );
    return Number(rows[0]?.n ?? 0);
  }

  private read<Row>({ isLong }: Visible, sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    const apart = isLong && this.reads.holdsUpRequests;
    return apart ? this.reads.selectLong<Row>(sql, values) : this.reads.select<Row>(sql, values);
  }
}

function conditionOf({ name }: Taxonomy, { prefix, part }: TermQuery): Condition {
  const conditions: Condition[] = [{ sql: 'taxonomy = ?', values: [name] }];
  if (prefix !== '') {
    conditions.push({ sql: 'name_key >= ? AND name_key < ?', values: [prefix, prefix + LAST_CODE_POINT] });
  }
  if (part !== '') conditions.push({ sql: 'INSTR(name_key, ?) > 0', values: [part] });
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The very name comes first, then names that begin so, then those with a word that begins so. */
function orderOf({ part }: TermQuery): Condition {
  if (part === '') return TREE_ORDER;
  return {
    sql: `CASE WHEN name_key = ? THEN 0 WHEN INSTR(name_key, ?) = 1 THEN 1 WHEN INSTR(name_key, ?) > 0 THEN 2 ELSE 3 END, sort_key`,
    values: [part, part, ` ${part}`],
  };
}

/** @throws {DomainError} `invalid_query`, naming the parameter */
function termQuery(query: URLSearchParams): TermQuery {
  const { page, per_page: perPage, q: prefix, contains: part, format: isTree } = readQuery(query, PARAMETERS);
  const misplaced = isTree ? NOT_IN_TREES.find((name) => query.has(name)) : undefined;
  if (misplaced !== undefined) {
    throw invalidQuery(misplaced, 'exclusive', `A tree is whole: send ${misplaced} without format=tree.`);
  }
  return { isTree, prefix, part, page, perPage };
}

function isTreeOf(format: string | null): boolean {
  if (format === null || format === 'flat') return false;
  if (format === 'tree') return true;
  throw invalidQuery('format', 'enum', 'format must be flat or tree.');
}

function nameKeyOf(parameter: string, sent: string | null): string {
  const words = sent ?? '';
  if (Array.from(words).length <= MAX_WORDS_LENGTH) return nameKey(words);
  throw invalidQuery(parameter, 'max_length', `${parameter} must have ${MAX_WORDS_LENGTH} characters or fewer.`);
}
