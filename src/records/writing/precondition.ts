import { DomainError } from '../../common/errors/domain-error.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { RecordRow } from '../rows/record-row.js';
import { fieldValues } from '../rows/whole-record.js';
import { stateOf } from './record-state.js';

/** Versions that a client insists on (`If-Match`): any of a list, or `any`. `null`: the client did not say. */
export type Precondition = readonly number[] | 'any' | null;

/** Reads `If-Match: "7"`. Weak validators count, since gateways weaken them; foreign ones match no version. */
export function precondition(header: string | undefined): Precondition {
  if (header === undefined) return null;
  if (header.trim() === '*') return 'any';
  return header.split(',').flatMap((tag) => {
    const version = /^\s*(?:W\/)?"(\d{1,15})(?:-[^"]*)?"\s*$/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/**
 * @param current what the fields that the client wants to write hold at present; `null`: the client may not read it
 * @throws {DomainError} `version_conflict`: the record was written since
 */
export function requireVersion(wanted: Precondition, { version }: RecordRow, current: () => object | null): void {
  if (wanted === null || wanted === 'any' || wanted.includes(version)) return;
  const fields = current();
  throw new DomainError(
    'version_conflict',
    `The record has changed since you read it; it is at version ${version} now.`,
    {
      details: [fields === null ? { version } : { version, fields }],
      headers: { ETag: `"${version}"` },
    },
  );
}

/** The present values of the fields that a body wants to write. */
export function sentFields(type: CompiledType, row: RecordRow, input: RecordBody): Record<string, unknown> {
  const { values: _values, publishedAt, ...state } = stateOf(row);
  const present: Record<string, unknown> = { ...state, ...fieldValues(type, row) };
  if (publishedAt !== null) present.published_at = new Date(publishedAt).toISOString();
  return Object.fromEntries(Object.keys(input).map((key) => [key, present[key] ?? null]));
}
