import { DomainError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { NarrowRow, RecordRow } from '../../records/rows/record-row.js';
import { readParts, type Overlay } from './overlay.js';

/** What of a working copy says whose it is and which one. Times are milliseconds since 1970, UTC. */
export interface CopyHead {
  readonly version: number;
  /** Ids of `actors`. */
  readonly createdBy: number;
  readonly updatedBy: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What is to become of a record, as it was read. */
export interface WorkingCopy extends CopyHead {
  /** The last version of the record on which all of it was based. */
  readonly baseVersion: number;
  readonly overlay: Overlay;
}

/** A record and its working copy. */
export interface CopiedRecord<Row = RecordRow, Copy = WorkingCopy> {
  readonly row: Row;
  /** `null`: there is none. */
  readonly copy: Copy | null;
}

/** A record that has a working copy. */
export interface DraftedRecord {
  readonly type: CompiledType;
  readonly row: RecordRow;
  readonly copy: WorkingCopy;
}

/** A {@link CopiedRecord} without what is long. */
export type CopiedHead = CopiedRecord<NarrowRow, CopyHead>;

/** The columns of `record_drafts` that make a {@link CopyHead}. */
export interface HeadColumns {
  readonly version: number | string;
  readonly created_by: number | string;
  readonly updated_by: number | string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/** Those that make a {@link WorkingCopy}. */
export interface CopyColumns extends HeadColumns {
  readonly base_version: number | string;
  readonly changes: string;
  readonly bases: string;
}

export const HEAD_COLUMNS = 'version, created_by, updated_by, created_at, updated_at';
export const COPY_COLUMNS = `${HEAD_COLUMNS}, base_version, changes, bases`;

/** The head of a working copy, from its row. */
export function headOf(columns: HeadColumns): CopyHead {
  return {
    version: Number(columns.version),
    createdBy: Number(columns.created_by),
    updatedBy: Number(columns.updated_by),
    createdAt: Number(columns.created_at),
    updatedAt: Number(columns.updated_at),
  };
}

/** @throws {DomainError} `record_damaged`: it cannot be read */
export function copyOf(columns: CopyColumns): WorkingCopy {
  const copy = readCopy(columns);
  if (copy) return copy;
  throw new DomainError('record_damaged', 'The working copy of the record cannot be read. Discard it.');
}

/** `null`: it cannot be read. */
export function readCopy(columns: CopyColumns): WorkingCopy | null {
  const [changes, bases] = [readParts(columns.changes), readParts(columns.bases)];
  if (changes === null || bases === null) return null;
  return { ...headOf(columns), baseVersion: Number(columns.base_version), overlay: { changes, bases } };
}
