import { DomainError } from '../../common/errors/domain-error.js';
import { timeText } from '../../common/text/time-text.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { ActorView } from '../../records/rows/actors.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import { precondition } from '../../records/writing/precondition.js';
import type { NamedPart } from './outlook.js';
import type { CopiedRecord } from './working-copy.js';

type Fields = Readonly<Record<string, unknown>>;

/** The suffix that a gateway adds to a validator may stand behind the version. */
const TAG = /^\s*(?:W\/)?"d(\d{1,16})(?:-[^"]*)?"\s*$/;

/** The validator of a working copy. */
export function copyTag(version: number): string {
  return `"d${version}"`;
}

/** True if `If-Match` fits a working copy: it names the version of the copy, or, if there is none, the one of the record. */
export function matchesCopy(header: string, { row, copy }: CopiedRecord): boolean {
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
export function staleCopy(found: CopiedRecord, by: ActorView, fields?: Fields): DomainError {
  const { row, copy } = found;
  if (copy === null) {
    const message = `There is no working copy any more; the record is at version ${row.version} now.`;
    return conflict(found, message, recordFacts(row, by), fields);
  }
  const message = `The working copy has changed since you read it; it is at version ${copy.version} now.`;
  const facts = { version: copy.version, updated_by: by, updated_at: timeText(copy.updatedAt) };
  return conflict(found, message, facts, fields);
}

/**
 * The record is not the one that the client has read, and its copy is.
 *
 * @param by the author of the record as it is
 * @param fields what the fields that the client wants to write hold in the record
 */
export function staleRecord(found: CopiedRecord, by: ActorView, fields: Fields): DomainError {
  const message = `The record has changed since you read it; it is at version ${found.row.version} now.`;
  return conflict(found, message, recordFacts(found.row, by), fields);
}

function recordFacts({ version, updated_at: at }: RecordRow, by: ActorView): object {
  return { version, updated_by: by, updated_at: timeText(at) };
}

function conflict({ row, copy }: CopiedRecord, message: string, facts: object, fields?: Fields): DomainError {
  return new DomainError('version_conflict', message, {
    details: [fields === undefined ? facts : { ...facts, fields }],
    headers: { ETag: copy ? copyTag(copy.version) : `"${row.version}"` },
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
