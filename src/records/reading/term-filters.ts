import { Injectable } from '@nestjs/common';
import { TermAssignment } from '../../taxonomy/assignment/term-assignment.js';
import { slugKey } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { BrowseQuery } from './browse-query.js';
import type { Filter } from './filters.js';

/** Matches no record: terms count from 1. */
const NO_TERM = 0;

/** Finds the terms that lists are filtered by. */
@Injectable()
export class TermFilters {
  constructor(
    private readonly assignment: TermAssignment,
    private readonly terms: TermsService,
  ) {}

  /** A query whose filters name terms by their ids. A term that does not exist matches nothing. */
  async resolved(query: BrowseQuery): Promise<BrowseQuery> {
    const texts = new Map<string, Set<string>>();
    for (const { property, values } of query.filters.filter(namesTerms)) {
      texts.set(property.name, new Set([...(texts.get(property.name) ?? []), ...values.map(String)]));
    }
    if (texts.size === 0) return query;
    const terms = await this.terms.findAll(texts);
    const idsOf = ({ property, values }: Filter): number[] =>
      values.flatMap((value) => terms.get(slugKey(property.name, String(value)))?.id ?? []);
    const subtrees = await this.assignment.subtrees(query.filters.filter(({ op }) => op === 'under').flatMap(idsOf));
    return {
      ...query,
      filters: query.filters.map((filter) => (namesTerms(filter) ? byIds(filter, idsOf(filter), subtrees) : filter)),
    };
  }
}

/** The filter by ids. One by all that stands under a term goes by the term where they are too many to list. */
function byIds(
  { property, op }: Filter,
  ids: readonly number[],
  subtrees: ReadonlyMap<number, readonly number[] | null>,
): Filter {
  if (op !== 'under') return { property, op: op === 'ne' || op === 'nin' ? 'nin' : 'in', values: orNone(ids) };
  const below = ids.map((id) => subtrees.get(id));
  if (below.includes(null)) return { property, op, values: ids };
  return { property, op: 'in', values: orNone(below.flatMap((some) => some ?? [])) };
}

function orNone(ids: readonly number[]): readonly number[] {
  return ids.length === 0 ? [NO_TERM] : ids;
}

function namesTerms({ property, op }: Filter): boolean {
  return property.kind === 'term' && op !== 'exists';
}
