import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Reader } from '../database/statements/reads.js';

/** One revision of a record, unpacked. Times are milliseconds since 1970, UTC. */
export interface PlainRevision {
  readonly ts: number;
  readonly version: number;
  readonly action: string;
  /** Id of `actors`. */
  readonly actor: number;
  readonly rollbackOf: number | null;
  /** Names of what the write has changed. */
  readonly changed: readonly string[];
  /** The whole state of the record, as the revisions write it; `null`: it is damaged and cannot be read. */
  readonly snapshot: unknown;
}

/** Which write of a record a revision is of. */
export type Instant = Pick<PlainRevision, 'ts' | 'version'>;

/** What fields and terms of a snapshot are called here. */
export interface NewIds {
  field(id: string): Promise<string>;
  term(id: number): Promise<number>;
}

/** The history of one record, packed as it comes: it may be much longer than the record. */
export interface HistoryDraft {
  /** Length of what is to be written. */
  readonly bytes: number;
  readonly instants: readonly Instant[];
  /**
   * Adds the next revision by time.
   *
   * @throws {ValidationError} the snapshot is none
   */
  add(revision: PlainRevision): Promise<void>;
}

/** The columns of a revision beside its snapshot, by their names, as the database holds them: some may be damaged. */
export interface StoredRevision {
  readonly record_id: number | string;
  readonly ts: number | string;
}

/** Port to the histories of records, which are built on top of them. */
export interface RecordHistory {
  /** Revisions of records in the order of ids and times, some at a time. */
  read(reader: Reader, recordIds: readonly number[]): AsyncGenerator<PlainRevision & { readonly recordId: number }>;
  /** The rows of revisions, in the same order. */
  stored(reader: Reader, recordIds: readonly number[]): AsyncGenerator<StoredRevision>;
  /** When records were written, as the unit of work sees it. */
  instants(manager: EntityManager, recordIds: readonly number[]): Promise<ReadonlyMap<number, readonly Instant[]>>;
  /** Begins the history of a record that comes from elsewhere. */
  begin(recordId: number, ids: NewIds): HistoryDraft;
  /** Writes histories of records that have none. */
  write(manager: EntityManager, drafts: readonly HistoryDraft[]): Promise<void>;
}

/** Hands out the implementation of {@link RecordHistory}, which registers itself at start; as `HttpAdapterHost` of Nest does. */
@Injectable()
export class RecordHistoryHost {
  private history: RecordHistory | undefined;

  use(history: RecordHistory): void {
    this.history = history;
  }

  get(): RecordHistory {
    if (!this.history) throw new Error('Nothing is registered that keeps the history of records.');
    return this.history;
  }
}
