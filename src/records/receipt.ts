import type { RecordView } from './rows/record-view.js';

/** What identifies a write, without any of the content. */
const RECEIPT = ['id', 'type', 'version', 'created_at', 'updated_at'];

/**
 * What a caller who may write a record but not read it is shown after a write: that it is written, and what they sent
 * themselves, as it is kept now.
 *
 * @param sent the keys of the body, with the taxonomies of `terms` below it
 */
export function receiptOf(view: RecordView, sent: Readonly<Record<string, unknown>>): RecordView {
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
