import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Caller } from '../../common/access/caller.js';
import type { ErrorName } from '../../common/errors/catalogue.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOG } from '../../common/logging/logging.module.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { RecordReader } from '../reading/record-reader.js';
import type { RecordRow, TermIds } from '../rows/record-row.js';
import { isIdle, RecordChanges, type Change } from '../writing/record-changes.js';
import { stateOf } from '../writing/record-state.js';
import { RecordWriter, type Plan } from '../writing/record-writer.js';
import { Actors } from '../rows/actors.js';

/** The terms that a record is to have, on the type as it is by then; is called again after a lost race. */
export type TermChange = (type: CompiledType, terms: TermIds) => TermIds;

/** The record was removed for good meanwhile, or its type with all records: its terms went with it. Nothing is written over a damaged one. */
const PASSED_OVER: ReadonlySet<ErrorName> = new Set(['record_not_found', 'type_not_found', 'record_damaged']);

/** Gives records other terms where no client asks for it: each time an ordinary write with a revision of its own. */
@Injectable()
export class TermRewrites {
  constructor(
    private readonly reader: RecordReader,
    private readonly writer: RecordWriter,
    private readonly changes: RecordChanges,
    private readonly actors: Actors,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * A record in the trash stays as it is, and so does a damaged one, which is logged.
   *
   * @param change the terms that it is to have, on the type as it is by then; is called again after a lost race
   */
  async rewrite(type: CompiledType, id: number, change: TermChange, caller: Caller): Promise<void> {
    try {
      await this.writer.writeTo(
        id,
        type,
        (current) => this.plan(current, id, change, caller),
        (attempt) => this.changes.change(attempt),
      );
    } catch (error) {
      if (!(error instanceof DomainError && PASSED_OVER.has(error.error))) throw error;
      if (error.error === 'record_damaged') this.log.warn({ recordId: id }, 'a damaged record keeps its terms');
    }
  }

  private async plan(
    type: CompiledType,
    id: number,
    change: TermChange,
    caller: Caller,
  ): Promise<Change & Plan<RecordRow>> {
    const row = await this.reader.requireById(type, id);
    const before = stateOf(row);
    const authorship = await this.actors.authorshipAfter(row, caller);
    if (row.trashed_at > 0) return { row, state: before, authorship, unchanged: row };
    const state = { ...before, terms: change(type, before.terms) };
    const planned = { row, state, authorship };
    if (isIdle(planned)) return { ...planned, unchanged: row };
    return this.changes.prepared(type, id, planned);
  }
}
