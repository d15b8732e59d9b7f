import { Injectable } from '@nestjs/common';
import { TermAssignment } from '../../taxonomy/assignment/term-assignment.js';
import type { BrowseQuery } from './browse-query.js';
import type { Filter } from './filters.js';

/** Matches no record: terms count from 1. */
const NO_TERM = 0;

/** Finds the terms that lists are filtered by. */
@Injectable()
export class TermFilters {
  constructor(private readonly assignment: TermAssignment) {}

  /** A query whose filters name terms by their ids. A term that does not exist matches nothing. */
  async resolved(query: BrowseQuery): Promise<BrowseQuery> {
    if (query.filters.every(({ property }) => property.kind !== 'term')) return query;
    return { ...query, filters: await Promise.all(query.filters.map((filter) => this.filterById(filter))) };
  }

  private async filterById(filter: Filter): Promise<Filter> {
    const { property, op, values } = filter;
    if (property.kind !== 'term' || op === 'exists') return filter;
    const found = await Promise.all(values.map((value) => this.assignment.find(property.name, String(value))));
    const ids = found.flatMap((term) => term?.id ?? []);
    const all = op === 'under' ? await this.assignment.withDescendants(ids) : ids;
    return { property, op: op === 'ne' || op === 'nin' ? 'nin' : 'in', values: all.length === 0 ? [NO_TERM] : all };
  }
}
