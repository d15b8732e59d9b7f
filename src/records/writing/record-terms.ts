import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Caller, isAllowed } from '../../common/access/caller.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { TermAssignment, type HiddenTerms } from '../../taxonomy/assignment/term-assignment.js';
import { termIdsOf, withOnly, withoutEmpty, withReplaced, type TermIds } from '../rows/record-row.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { placeholders } from '../../database/statements/statement.js';
import { assignedTagsWithout } from '../../taxonomy/terms/named-terms.js';
import { TERM_ID } from '../../taxonomy/terms/term-usage.port.js';

/** Terms as a body names them: by id or slug; `null` takes all away. */
export type WantedTerms = Readonly<Record<string, readonly (string | number)[] | null>>;

/**
 * The terms that a write gives a record, found or made in its unit of work: those that a caller wants, or `kept`, those
 * that it has, as far as they and their taxonomies are still there.
 */
export type TermPlan = 'kept' | { readonly wanted: WantedTerms | null; readonly caller: Caller };

/** The terms of records, assigned when they are written. */
@Injectable()
export class RecordTerms {
  constructor(
    private readonly assignment: TermAssignment,
    private readonly types: ContentTypesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Finds the terms of a record that is written. Tags that do not exist are made. Of a record that is restored, deleted
   * terms are left out and merged ones replaced by their targets.
   *
   * @param before those that it has had so far
   */
  async resolve(manager: EntityManager, type: CompiledType, before: TermIds, plan: TermPlan): Promise<TermIds> {
    if (plan === 'kept') {
      const terms = withOnly(before, (taxonomy) => type.taxonomies.includes(taxonomy));
      const kept = await this.assignment.keep(manager, termIdsOf(terms));
      return withReplaced(terms, (id) => kept.get(id)?.id ?? null);
    }
    const asked = askedFor(plan.wanted ?? nothing(type));
    const hidden = hiddenTags(plan.caller, await this.types.all(), termIdsOf(before));
    const assigned = await this.assignment.resolve(manager, Object.keys(asked), asked, hidden);
    return withoutEmpty({ ...before, ...assigned });
  }

  /**
   * The terms that a body names for later, by taxonomy: ids, and the names of tags that are to be made then.
   *
   * @param own those that the record has already
   * @throws {ValidationError} with every fault
   */
  async planned(
    type: CompiledType,
    { terms }: RecordBody,
    caller: Caller,
    own: TermIds,
  ): Promise<Readonly<Record<string, readonly (number | string)[]>>> {
    if (terms === undefined) return {};
    const wanted = askedFor((terms ?? nothing(type)) as WantedTerms);
    const hidden = hiddenTags(caller, await this.types.all(), termIdsOf(own));
    return this.unitOfWork.run(
      (manager) => this.assignment.planned(manager, type.taxonomies, wanted, hidden),
      REPEATABLE,
    );
  }
}

function askedFor(wanted: WantedTerms): Readonly<Record<string, readonly (string | number)[]>> {
  return Object.fromEntries(Object.entries(wanted).map(([taxonomy, terms]) => [taxonomy, terms ?? []]));
}

function nothing({ taxonomies }: CompiledType): WantedTerms {
  return Object.fromEntries(taxonomies.map((taxonomy) => [taxonomy, null]));
}

/**
 * The condition on rows of `terms` that have a record the caller may see, by the maintained counters and the deltas not
 * yet folded into them. `null`: the caller sees every record.
 */
export function visibleTerms(caller: Caller, types: readonly CompiledType[]): Condition | null {
  if (isAllowed(caller, 'drafts:read') && isAllowed(caller, 'records:read')) return null;
  const read = types.filter(({ name }) => isAllowed(caller, 'records:read', name));
  if (read.length === 0) return { sql: '1 = 0', values: [] };
  const whole = read.filter(({ name }) => isAllowed(caller, 'drafts:read', name)).map(({ id }) => id);
  const published = read.map(({ id }) => id).filter((id) => !whole.includes(id));
  const places = [
    ...(whole.length > 0 ? [`type_id IN (${placeholders(whole)})`] : []),
    ...(published.length > 0 ? [`(status = 'published' AND type_id IN (${placeholders(published)}))`] : []),
  ].join(' OR ');
  const sum = (column: string, table: string): string =>
    `(SELECT COALESCE(SUM(${column}), 0) FROM ${table} WHERE term_id = ${TERM_ID} AND (${places}))`;
  const values = [...whole, ...published];
  return { sql: `${sum('n', 'term_counts')} + ${sum('d', 'record_deltas')} > 0`, values: [...values, ...values] };
}

/**
 * Finds the terms that a caller cannot assign by their ids: tags that only records have which they may not see.
 * Otherwise the answer would disclose the name of each id.
 *
 * @param own those that the record has already
 */
function hiddenTags(caller: Caller, types: readonly CompiledType[], own: readonly number[]): HiddenTerms {
  const held = isAllowed(caller, 'taxonomy:write') ? null : visibleTerms(caller, types);
  return async (manager, ids) => {
    const foreign = ids.filter((id) => !own.includes(id));
    if (held === null || foreign.length === 0) return new Set();
    return assignedTagsWithout(manager, foreign, held);
  };
}
