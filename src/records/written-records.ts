import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../common/access/caller.js';
import type { Envelope } from '../common/envelope.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import type { RecordRow } from './rows/record-row.js';
import type { Restored } from './records.service.js';
import { RecordViews, type RecordView } from './rows/record-views.js';

/** The keys that identify a write, without any of the content. */
const RECEIPT = ['id', 'type', 'version', 'created_at', 'updated_at'];

/** A record out of the trash, and what it came back without. */
export interface RestoredEnvelope extends Envelope<RecordView> {
  readonly meta: {
    readonly restore: { readonly skipped: readonly Skipped[] };
  };
}

/** A part that a record came back out of the trash without. */
export interface Skipped {
  readonly field: string;
  readonly reason: 'value_taken' | 'required';
}

/** The answers to writes. The type may have changed before the write, so it is asked for again. */
@Injectable()
export class WrittenRecords {
  constructor(
    private readonly types: ContentTypesService,
    private readonly views: RecordViews,
  ) {}

  /** The answer to a create: all of it comes from the caller. */
  async created(before: CompiledType, row: RecordRow): Promise<Envelope<RecordView>> {
    const [data = {}] = await this.views.all((await this.types.byId(before.id)) ?? before, [row]);
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
    const { data } = await this.created(before, row);
    return { data: isAllowed(caller, 'records:read', before.name) ? data : receiptOf(data, sent) };
  }

  async restored(before: CompiledType, restored: Restored, caller: Caller): Promise<RestoredEnvelope> {
    const { data } = await this.changed(before, restored.row, caller);
    return { data, meta: { restore: { skipped: skippedBy(restored) } } };
  }
}

/** The parts that a record came back without. */
export function skippedBy({ lost, isWithdrawn }: Restored): Skipped[] {
  const values = lost.map((field) => ({ field, reason: 'value_taken' as const }));
  return isWithdrawn ? [{ field: 'status', reason: 'required' }, ...values] : values;
}

/**
 * The view of a write for a caller who may write a record but not read it: that it is written, and what they sent
 * themselves, as it is kept now.
 *
 * @param sent the keys of the body, with the taxonomies of `terms` below it
 */
function receiptOf(view: RecordView, sent: Readonly<Record<string, unknown>>): RecordView {
  const keys = [...RECEIPT, ...Object.keys(sent).filter((key) => key !== 'terms')];
  const shown = pick(view, keys);
  return sent.terms === undefined
    ? shown
    : { ...shown, terms: pick(asObject(view.terms), Object.keys(asObject(sent.terms))) };
}

function pick(from: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  const wanted = new Set(keys);
  return Object.fromEntries(Object.entries(from).filter(([key]) => wanted.has(key)));
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
