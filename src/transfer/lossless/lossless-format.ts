import type { LeftOut } from '../backup/damaged-rows.js';
import type { ActorView } from '../../records/rows/actor-names.js';

/** What the first line says; exports of the API have all of it but `lossless`. */
export const HEADER = { kind: 'header', format: 'cms-ndjson', version: 1, lossless: true } as const;

/** Kind of the last line. */
export const END = 'end';

/** A record with all that is known of it. Times are ISO 8601, UTC. */
export interface RecordLine {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly slug: string;
  readonly body: string | null;
  readonly status: string;
  readonly locale: string;
  /** Values of the fields of the type by their names; what has none is left out. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Values of fields that the type has lost, by the ids of these. */
  readonly lost?: Readonly<Record<string, unknown>>;
  /** Ids of terms by taxonomy. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  readonly version: number;
  readonly published_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** `null`: it is not in the trash. */
  readonly trashed_at: string | null;
  readonly created_by: ActorView;
  readonly updated_by: ActorView;
  /** How many lines of revisions follow. */
  readonly revisions: number;
}

/** A revision of the record that was the last one before it. `ts` are milliseconds since 1970, UTC, as in the API. */
export interface RevisionLine {
  readonly record: number;
  readonly ts: number;
  readonly version: number;
  readonly action: string;
  readonly author: ActorView;
  readonly rollback_of: number | null;
  readonly changed: readonly string[];
  /** `null`: it was damaged in the database that the file was made from, so there is nothing to take over. */
  readonly snapshot: unknown;
}

/** How many lines of a kind there were: the last line of a file that is whole. */
export interface EndLine {
  readonly records: number;
  readonly revisions: number;
  /** Damaged rows that were not written. Absent: none. */
  readonly skipped?: LeftOut;
}

/** An instant as the file has it; `null` for what was never done. */
export function timeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
