import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { pageMeta, wholeList, type Envelope, type ListEnvelope } from '../../common/envelope.js';
import { invalidQuery } from '../../common/http/url-query.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/reads.js';
import { LAST_CODE_POINT } from '../../database/statement.js';
import { STORED_COLUMNS, storedTermOf, type StoredTerm, type StoredTermColumns } from './stored-term.js';
import { termNotFound } from '../taxonomy.errors.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { termQuery, type TermQuery } from './term-query.js';
import { termReference } from './term-reference.js';
import { TermUsageHolder } from './term-usage.port.js';
import { termView, treeOf, type TermNode, type TermView } from './term-view.js';

/** A tree is one answer: more than these are asked for in pages. */
const MAX_TREE = 10_000;

/** What callers see of terms, each with the number of its records that they may see. */
@Injectable()
export class TermPages {
  constructor(
    private readonly reads: Reads,
    private readonly holder: TermUsageHolder,
  ) {}

  /** @throws {DomainError} `invalid_query` */
  async list(
    taxonomy: Taxonomy,
    query: URLSearchParams,
    caller: Caller,
  ): Promise<ListEnvelope<TermView> | ListEnvelope<TermNode>> {
    const asked = termQuery(query);
    return asked.isTree ? this.tree(taxonomy, caller) : this.page(taxonomy, asked, caller);
  }

  /** @throws {DomainError} `term_not_found` */
  async one(taxonomy: Taxonomy, reference: string, caller: Caller): Promise<Envelope<TermView>> {
    const which = termReference(reference);
    if (!which) throw termNotFound(taxonomy.name, reference);
    const condition = { sql: `taxonomy = ? AND ${which.column} = ?`, values: [taxonomy.name, which.value] };
    const [term] = await this.views(await this.select(condition, 1, 0), caller);
    if (!term) throw termNotFound(taxonomy.name, reference);
    return { data: term };
  }

  private async page(taxonomy: Taxonomy, query: TermQuery, caller: Caller): Promise<ListEnvelope<TermView>> {
    const { page, perPage } = query;
    const offset = (page - 1) * perPage;
    const condition = conditionOf(taxonomy, query);
    const terms = await this.select(condition, perPage, offset);
    const isLast = terms.length < perPage && (terms.length > 0 || page === 1);
    const [data, total] = await Promise.all([
      this.views(terms, caller),
      isLast ? offset + terms.length : this.count(condition),
    ]);
    return { data, meta: pageMeta(total, query) };
  }

  private async tree({ name }: Taxonomy, caller: Caller): Promise<ListEnvelope<TermNode>> {
    const terms = await this.select({ sql: 'taxonomy = ?', values: [name] }, MAX_TREE + 1, 0);
    if (terms.length > MAX_TREE) {
      throw invalidQuery('format', 'max', `${name} has more than ${MAX_TREE} terms. Ask for pages of format=flat.`);
    }
    const data = treeOf(await this.views(terms, caller));
    return { data, meta: wholeList(terms).meta };
  }

  private async views(terms: readonly StoredTerm[], caller: Caller): Promise<TermView[]> {
    if (terms.length === 0) return [];
    const counts = await this.holder.get().counts(
      terms.map(({ id }) => id),
      caller,
    );
    return terms.map((term) => termView(term, counts.get(term.id) ?? 0));
  }

  private async select({ sql, values }: Condition, limit: number, offset: number): Promise<StoredTerm[]> {
    const rows = await this.reads.select<StoredTermColumns>(
      `SELECT ${STORED_COLUMNS} FROM terms WHERE ${sql} ORDER BY sort_key LIMIT ? OFFSET ?`,
      [...values, limit, offset],
    );
    return rows.map(storedTermOf);
  }

  private async count({ sql, values }: Condition): Promise<number> {
    const rows = await this.reads.select<{ n: number | string }>(
      `SELECT COUNT(*) AS n FROM terms WHERE ${sql}`,
      values,
    );
    return Number(rows[0]?.n ?? 0);
  }
}

function conditionOf({ name }: Taxonomy, { prefix }: TermQuery): Condition {
  if (prefix === '') return { sql: 'taxonomy = ?', values: [name] };
  return {
    sql: 'taxonomy = ? AND name_key >= ? AND name_key < ?',
    values: [name, prefix, prefix + LAST_CODE_POINT],
  };
}
