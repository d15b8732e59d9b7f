import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../common/access/caller.js';
import type { Envelope } from '../common/envelope.js';
import type { CompiledType } from '../content-types/content-type.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { receiptOf } from './receipt.js';
import type { RecordRow } from './record-row.js';
import type { Restored } from './records.service.js';
import type { RecordView } from './record-view.js';
import { Relations } from './writing/relations.js';

/** A record out of the trash, and what it came back without. */
export interface RestoredEnvelope extends Envelope<RecordView> {
  readonly meta: {
    readonly restore: { readonly skipped: readonly { readonly field: string; readonly reason: 'value_taken' }[] };
  };
}

/** The answers to writes. The type may have changed before the write, so it is asked for again. */
@Injectable()
export class WrittenRecords {
  constructor(
    private readonly relations: Relations,
    private readonly types: ContentTypes,
  ) {}

  /** The answer to a create: all of it comes from the caller. */
  async created(before: CompiledType, row: RecordRow, caller: Caller): Promise<Envelope<RecordView>> {
    const type = (await this.types.byId(before.id)) ?? before;
    const [data = {}] = await this.relations.expanded(type, [row], { fields: null, expand: [] }, caller);
    return { data };
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
}
