import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { TermAssignment } from '../../taxonomy/assignment/term-assignment.js';
import { hiddenTags } from './visible-terms.js';
import type { Draft } from '../writing/record-changes.js';
import { termIdsOf, type TermIds } from '../rows/record-row.js';
import { withOnly, withoutEmpty, withReplaced } from './term-ids.js';

/** Terms as a body names them: by id or slug; `null` takes all away. */
type WantedTerms = Readonly<Record<string, readonly (string | number)[] | null>>;

/** The terms of records, assigned when they are written. */
@Injectable()
export class RecordTerms {
  constructor(
    private readonly assignment: TermAssignment,
    private readonly types: ContentTypesService,
    private readonly unitOfWork: UnitOfWork,
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

  /**
   * Completes the state of a record that is restored: deleted terms are left out, merged ones replaced by their
   * targets.
   */
  restoration({ taxonomies }: CompiledType): Pick<Draft, 'complete'> {
    return {
      complete: async (manager, state) => {
        const terms = withOnly(state.terms, (taxonomy) => taxonomies.includes(taxonomy));
        const kept = await this.assignment.keep(manager, termIdsOf(terms));
        return { ...state, terms: withReplaced(terms, (id) => kept.get(id)?.id ?? null) };
      },
    };
  }

  private async merged(manager: EntityManager, before: TermIds, wanted: WantedTerms, caller: Caller): Promise<TermIds> {
    const asked = askedFor(wanted);
    const hidden = hiddenTags(caller, await this.types.all(), termIdsOf(before));
    const assigned = await this.assignment.resolve(manager, Object.keys(asked), asked, hidden);
    return withoutEmpty({ ...before, ...assigned });
  }
}

function askedFor(wanted: WantedTerms): Readonly<Record<string, readonly (string | number)[]>> {
  return Object.fromEntries(Object.entries(wanted).map(([taxonomy, terms]) => [taxonomy, terms ?? []]));
}

function nothing({ taxonomies }: CompiledType): WantedTerms {
  return Object.fromEntries(taxonomies.map((taxonomy) => [taxonomy, null]));
}
