import { PortHost } from '../../common/port-host.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Status, TypeDefinition } from '../definition/content-type.js';
import type { IndexRow } from '../definition/field-index.js';

/** The number of records of a type that have a status. */
export interface StatusCount {
  readonly typeId: number;
  readonly status: Status;
  readonly n: number;
}

/** The contents of a record in the fields of its type. */
export interface StoredValues {
  readonly id: number;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** Records in the trash have no rows in the side index. */
  readonly isTrashed: boolean;
  /** Values by field id. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Ids of terms by taxonomy. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
}

/** The changes in the working copy of a record, by the keys of {@link StoredValues}. */
export interface CopiedValues {
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Ids of terms, and names of tags that are to be made, by taxonomy. */
  readonly terms: Readonly<Record<string, readonly unknown[]>>;
}

/** Position of a record among those of its type: by the time it was trashed (0: it is not), created, and by its id. */
export interface Position {
  readonly trashedAt: number;
  readonly createdAt: number;
  readonly id: number;
}

/** Some records, and the position to go on behind; `null`: there are none left. */
export interface Batch {
  readonly records: readonly StoredValues[];
  readonly last: Position | null;
}

/** The rows that one record has in the side index for one field. */
export interface RecordIndexRows {
  readonly recordId: number;
  readonly createdAt: number;
  readonly rows: readonly IndexRow[];
}

/**
 * Port to whatever is kept under the types, which is built on top of them: the records.
 * Methods that take a manager run inside the caller's unit of work.
 */
export interface TypeUsage {
  /** Records per type and status, without the trash. */
  counts(): Promise<readonly StatusCount[]>;
  /** Tells whether a type has records, the trash included. */
  hasRecords(manager: EntityManager, typeId: number): Promise<boolean>;
  /** Records of a type, the trash included, by kept counts. */
  count(typeId: number): Promise<number>;
  /** The next records of a type, the trash included, as they are committed; none after the last. */
  batch(typeId: number, after: Position | null): Promise<Batch>;
  /** The same inside a unit of work, which keeps other writers from these records until it ends. */
  lockBatch(manager: EntityManager, typeId: number, after: Position | null): Promise<Batch>;
  /** Some records as they are committed or, inside a unit of work, as it sees them; those that are gone are left out. */
  some(ids: readonly number[], manager?: EntityManager): Promise<readonly StoredValues[]>;
  /** Counts the records of a type that share a slug with a record in another locale, without the trash. */
  countNamesakes(typeId: number): Promise<number>;
  /** Counts the records among the given ones of which the same is true. */
  namesakesOf(ids: readonly number[], manager?: EntityManager): Promise<number>;
  /** Puts the rows of some records in the place of those they had for a field. */
  replaceIndex(manager: EntityManager, fieldKey: number, records: readonly RecordIndexRows[]): Promise<void>;
  /**
   * Gives the next records of a type that lack rows in the side index for a field the row of an absent value.
   * Returns the position of the last record that was looked at; `null`: there are no more.
   */
  fillIndexGaps(
    manager: EntityManager,
    typeId: number,
    fieldKey: number,
    after: Position | null,
  ): Promise<Position | null>;
  /** Removes some rows of a field from the side index. Returns how many; 0 when none are left. */
  dropIndex(manager: EntityManager, fieldKey: number): Promise<number>;
  /** Ids of fields that have rows in the side index, whether or not the fields are still there. */
  indexedFields(): Promise<readonly number[]>;
  /** The time of the last write of a record: milliseconds since 1970, UTC; 0: there was none. */
  latestWrite(manager: EntityManager): Promise<number>;
  /** A type has changed, in the unit of work that changes it. */
  changed(manager: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void>;
  /** Notes that the records of a type have to go, in the unit of work that removes the type. */
  abandon(manager: EntityManager, typeId: number): Promise<void>;
  /** Types that are gone and left records behind. */
  abandoned(): Promise<readonly number[]>;
  /** Removes some records of a type that is gone, or rows about it. Returns how many; 0 when nothing is left of it. */
  removeBatch(manager: EntityManager, typeId: number): Promise<number>;
}

/** Parts of records that a type no longer has. */
export interface LostParts {
  /** Ids of fields. */
  readonly fields?: readonly string[];
  /** Names of taxonomies. */
  readonly taxonomies?: readonly string[];
}

/** Port to the working copies of records. */
export interface CopyUsage {
  /** The next records of a type that have a working copy, by id, the trash included; none after the last. */
  next(typeId: number, after: number): Promise<readonly number[]>;
  /**
   * The working copies of some records as they are committed or, inside a unit of work, as it sees them. Damaged ones are
   * left out.
   */
  some(ids: readonly number[], manager?: EntityManager): AsyncIterable<CopiedValues>;
  /**
   * Takes parts out of the working copies of a type, each in a unit of its own; a copy that changes nothing else goes.
   *
   * @param isLost whether the type still lacks them, asked in each unit
   */
  forget(typeId: number, parts: LostParts, isLost?: (manager: EntityManager) => Promise<boolean>): Promise<void>;
}

@Injectable()
export class TypeUsageHost extends PortHost<TypeUsage> {
  private readonly copyHost = new CopyUsageHost();

  useCopies(copies: CopyUsage): void {
    this.copyHost.use(copies);
  }

  copies(): CopyUsage {
    return this.copyHost.get();
  }
}

class CopyUsageHost extends PortHost<CopyUsage> {}
