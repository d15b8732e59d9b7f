import { DomainError } from '../../common/errors/domain-error.js';
import { timeText } from '../../common/text/time-text.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { ActorView } from '../../records/rows/actors.js';
import { precondition } from '../../records/writing/precondition.js';
import type { NamedPart } from './outlook.js';
import type { CopiedHead } from './working-copy.js';

/** What a gateway adds to a validator may stand behind the version. */
const TAG = /^\s*(?:W\/)?"d(\d{1,16})(?:-[^"]*)?"\s*$/;

/** The validator of a working copy. */
export function copyTag(version: number): string {
  return `"d${version}"`;
}

/**
 * Whether `If-Match` is true of a working copy: it names the version of the copy, or, if there is none, that of the
 * record.
 */
export function matchesCopy(header: string, { row, copy }: CopiedHead): boolean {
  const wanted = precondition(header);
  if (wanted === 'any') return true;
  if (copy === null) return wanted?.includes(row.version) ?? false;
  return header.split(',').some((tag) => Number(TAG.exec(tag)?.[1]) === copy.version);
}

/** @throws {DomainError} `precondition_required` */
export function requireIfMatch(header: string | undefined): string {
  if (header !== undefined) return header;
  throw new DomainError(
    'precondition_required',
    'Send If-Match with the ETag of the working copy, or of the record if there is none.',
  );
}

/** The record has no working copy. */
export function draftNotFound({ name }: CompiledType, recordId: number): DomainError {
  return new DomainError('draft_not_found', `There is no working copy of ${name}/${recordId}.`);
}

/**
 * The copy, or the record if there is none, is not the one that the client has read.
 *
 * @param by the author of the copy as it is, or of the record
 * @param fields what the fields that the client wants to write hold at present; absent: it wants to write none
 */
export function staleCopy(
  { row, copy }: CopiedHead,
  by: ActorView,
  fields?: Readonly<Record<string, unknown>>,
): DomainError {
  const { version } = copy ?? row;
  const message = copy
    ? `The working copy has changed since you read it; it is at version ${version} now.`
    : `There is no working copy any more; the record is at version ${version} now.`;
  const facts = { version, updated_by: by, updated_at: timeText(copy?.updatedAt ?? row.updated_at) };
  return new DomainError('version_conflict', message, {
    details: [fields === undefined ? facts : { ...facts, fields }],
    headers: { ETag: copy ? copyTag(version) : `"${version}"` },
  });
}

/**
 * The record was changed in parts that its copy changes, too.
 *
 * @param isReader whether the caller may read what these parts hold
 */
export function draftConflict(parts: readonly NamedPart[], isReader: boolean): DomainError {
  const names = parts.map(({ name }) => name).join(', ');
  return new DomainError(
    'draft_conflict',
    `The record was changed in the same fields as the working copy: ${names}. Send each of them to the working copy again, with the value that you want.`,
    {
      details: parts.map(({ name: field, base, live, value: draft }) =>
        isReader ? { field, base, live, draft } : { field },
      ),
    },
  );
}
