import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Caller } from '../../common/access/caller.js';
import type { ErrorName } from '../../common/errors/catalogue.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOG } from '../../common/logging/logging.module.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { RecordReader } from '../reading/record-reader.js';
import type { TermIds } from '../rows/record-row.js';
import { RecordChanges } from '../writing/record-changes.js';
import { stateOf, type RecordState } from '../writing/record-state.js';
import { Authorships } from '../writing/authorships.js';

/** A record that is to have other terms. */
export interface RecordRef {
  readonly id: number;
  readonly typeId: number;
}

/** The terms that a record is to have, on the type as it is by then; is called again after a lost race. */
export type TermChange = (type: CompiledType, terms: TermIds) => TermIds;

/** The record was removed for good meanwhile, or its type with all records; its terms went with it. */
const GONE: ReadonlySet<ErrorName> = new Set(['record_not_found', 'type_not_found']);

/** Gives records other terms where no client asks for it: each time an ordinary write with a revision of its own. */
@Injectable()
export class TermRewrites {
  constructor(
    private readonly types: ContentTypesService,
    private readonly reader: RecordReader,
    private readonly changes: RecordChanges,
    private readonly authorships: Authorships,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * A record in the trash stays as it is, and so does a damaged one: what is left of it would be overwritten.
   *
   * @param change the terms that it is to have, on the type as it is by then; is called again after a lost race
   */
  async rewrite({ id, typeId }: RecordRef, change: TermChange, caller: Caller): Promise<void> {
    const type = await this.types.byId(typeId);
    // The records of a type that is gone are about to go as well.
    if (!type) return;
    try {
      await this.changes.change(type, id, async (current) => {
        const row = await this.reader.requireById(current, id);
        const state = stateOf(row);
        const authorship = await this.authorships.after(row, caller);
        if (row.trashed_at > 0 || this.isDamaged(id, state)) return { row, state, authorship };
        return { row, state: { ...state, terms: change(current, state.terms) }, authorship, ungated: 'terms' };
      });
    } catch (error) {
      if (!(error instanceof DomainError && GONE.has(error.error))) throw error;
    }
  }

  private isDamaged(recordId: number, { damaged: columns }: RecordState): boolean {
    if (!columns) return false;
    this.log.warn({ recordId, columns }, 'a record with damaged contents is not rewritten: it keeps its terms');
    return true;
  }
}
