import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { TermAssignment } from '../../taxonomy/terms/term-assignment.js';
import type { BrowseQuery } from '../lists/browse-query.js';
import { hiddenTags } from './held-visibly.js';
import type { Draft } from '../writing/record-changes.js';
import type { Filter } from '../lists/filters.js';
import { termIdsOf, type TermIds } from '../rows/record-row.js';
import { withOnly, withoutEmpty, withReplaced } from './term-ids.js';

/** Terms as a body names them: by id or slug; `null` takes all away. */
type WantedTerms = Readonly<Record<string, readonly (string | number)[] | null>>;

/** Matches no record: terms count from 1. */
const NO_TERM = 0;

/** The terms of records: assigned when they are written, and found when they are filtered by. */
@Injectable()
export class RecordTerms {
  constructor(
    private readonly taxonomies: TaxonomiesService,
    private readonly assignment: TermAssignment,
    private readonly types: ContentTypesService,
  ) {}

  /**
   * What completes a state by the terms of a body; nothing where the body has none.
   * Tags that do not exist are made in the unit of work that writes the record.
   */
  completion(type: CompiledType, { terms }: RecordBody, caller: Caller): Pick<Draft, 'complete'> {
    if (terms === undefined) return {};
    const wanted = (terms ?? nothing(type)) as WantedTerms;
    return {
      complete: async (manager, state) => ({
        ...state,
        terms: await this.merged(manager, state.terms, wanted, caller),
      }),
    };
  }

  /** What completes a state that is brought back: terms that are gone are left out, merged ones are what they went into. */
  survival({ taxonomies }: CompiledType): Pick<Draft, 'complete'> {
    return {
      complete: async (manager, state) => {
        const terms = withOnly(state.terms, (taxonomy) => taxonomies.includes(taxonomy));
        const kept = await this.assignment.keep(manager, termIdsOf(terms));
        return { ...state, terms: withReplaced(terms, (id) => kept.get(id)?.id ?? null) };
      },
    };
  }

  /** When the views of records of a type last changed without the records. Milliseconds since 1970, UTC. */
  changedAt({ taxonomies }: CompiledType): Promise<number> {
    return this.taxonomies.termsChangedAt(taxonomies);
  }

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

  private async merged(manager: EntityManager, before: TermIds, wanted: WantedTerms, caller: Caller): Promise<TermIds> {
    const asked = Object.fromEntries(Object.entries(wanted).map(([taxonomy, terms]) => [taxonomy, terms ?? []]));
    const hidden = hiddenTags(caller, await this.types.all(), termIdsOf(before));
    const assigned = await this.assignment.resolve(manager, Object.keys(asked), asked, hidden);
    return withoutEmpty({ ...before, ...assigned });
  }
}

function nothing({ taxonomies }: CompiledType): WantedTerms {
  return Object.fromEntries(taxonomies.map((taxonomy) => [taxonomy, null]));
}
