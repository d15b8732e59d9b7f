import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isAllowed, type Caller } from '../common/access/caller.js';
import type { Envelope } from '../common/envelope.js';
import { reasonOf } from '../common/errors/reason.js';
import { LOG } from '../common/logging/logging.module.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { asUnavailable } from '../database/database-error.js';
import { receiptOf } from './receipt.js';
import type { RecordRow } from './rows/record-row.js';
import type { Restored } from './records.service.js';
import { RecordViews, type RecordView } from './rows/record-view.js';
import { RelationExpansion } from './reading/relation-expansion.js';

/** A record out of the trash, and what it came back without. */
export interface RestoredEnvelope extends Envelope<RecordView> {
  readonly meta: {
    readonly restore: { readonly skipped: readonly { readonly field: string; readonly reason: 'value_taken' }[] };
  };
}

/**
 * The answers to writes. The type may have changed before the write, so it is asked for again. Where nothing can be
 * read any more the write is answered all the same, from memory: it is made, and must not be sent again.
 */
@Injectable()
export class WrittenRecords {
  constructor(
    private readonly relations: RelationExpansion,
    private readonly types: ContentTypesService,
    private readonly views: RecordViews,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** The answer to a create: all of it comes from the caller. */
  async created(before: CompiledType, row: RecordRow, caller: Caller): Promise<Envelope<RecordView>> {
    try {
      const type = (await this.types.byId(before.id)) ?? before;
      const [data = {}] = await this.relations.expanded(type, [row], { fields: null, expand: [] }, caller);
      return { data };
    } catch (error) {
      return { data: this.remembered(before, row, error) };
    }
  }

  /**
   * The answer to a write of a record that was there: the record as it is now, as far as the caller may read it.
   *
   * @param sent the body of the write
   */
  async changed(
    before: CompiledType,
    row: RecordRow,
    caller: Caller,
    sent: Readonly<Record<string, unknown>> = {},
  ): Promise<Envelope<RecordView>> {
    const { data } = await this.created(before, row, caller);
    return { data: isAllowed(caller, 'records:read', before.name) ? data : receiptOf(data, sent) };
  }

  async restored(before: CompiledType, { row, lost }: Restored, caller: Caller): Promise<RestoredEnvelope> {
    const { data } = await this.changed(before, row, caller);
    const skipped = lost.map((field) => ({ field, reason: 'value_taken' as const }));
    return { data, meta: { restore: { skipped } } };
  }

  /** @throws what went wrong, unless it is the database that cannot be read */
  private remembered(before: CompiledType, row: RecordRow, error: unknown): RecordView {
    const unavailable = asUnavailable(error);
    if (!unavailable) throw error;
    this.log.warn({ record: row.id, ...reasonOf(unavailable) }, 'a write is answered from memory');
    return this.views.remembered(this.types.remembered(before.id) ?? before, row);
  }
}
