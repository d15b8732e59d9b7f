import { jsonObject } from '../../common/schema/json-object.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import { type Overlay } from './overlay.js';

/** The next state of a record, as it was read. Times are milliseconds since 1970, UTC. */
export interface WorkingCopy {
  readonly version: number;
  /** The last version of the record on which all of it was based. */
  readonly baseVersion: number;
  readonly overlay: Overlay;
  /** Ids of `actors`. */
  readonly createdBy: number;
  readonly updatedBy: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A record and its working copy. */
export interface CopiedRecord {
  readonly row: RecordRow;
  /** `null`: there is none. */
  readonly copy: WorkingCopy | null;
}

/** A record that has a working copy. */
export interface DraftedRecord {
  readonly type: CompiledType;
  readonly row: RecordRow;
  readonly copy: WorkingCopy;
}

/** The columns of `record_drafts` that make a {@link WorkingCopy}. */
export interface CopyColumns {
  readonly version: number | string;
  readonly base_version: number | string;
  readonly created_by: number | string;
  readonly updated_by: number | string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
  readonly changes: string;
  readonly bases: string;
}

export const SHORT_COLUMNS = 'version, base_version, created_by, updated_by, created_at, updated_at';
export const COPY_COLUMNS = `${SHORT_COLUMNS}, changes, bases`;

/** @throws {DomainError} `record_damaged`: it cannot be read */
export function copyOf(columns: CopyColumns): WorkingCopy {
  const copy = readCopy(columns);
  if (copy) return copy;
  throw new DomainError('record_damaged', 'The working copy of the record cannot be read. Discard it.');
}

/** @param damaged stands in the place of an overlay that cannot be read; `null`: there is no copy then */
export function readCopy(columns: CopyColumns, damaged: Overlay | null = null): WorkingCopy | null {
  const [changes, bases] = [jsonObject(columns.changes), jsonObject(columns.bases)];
  const overlay = changes === null || bases === null ? damaged : { changes, bases };
  if (overlay === null) return null;
  return {
    version: Number(columns.version),
    baseVersion: Number(columns.base_version),
    overlay,
    createdBy: Number(columns.created_by),
    updatedBy: Number(columns.updated_by),
    createdAt: Number(columns.created_at),
    updatedAt: Number(columns.updated_at),
  };
}
