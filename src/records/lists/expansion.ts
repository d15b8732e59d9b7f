import { invalidQuery } from '../../common/http/url-query.js';
import type { RecordRow } from '../rows/record-row.js';
import type { RecordView } from '../rows/record-view.js';

/** Characters that records in the place of references may add to one answer. */
const MAX_SIZE = 32 * 1_048_576;
/** About so many has a record with nothing in it. */
const EMPTY_SIZE = 500;

/**
 * How much records in the place of references add to one answer. A single long record can stand there
 * a hundred thousand times, and no answer can hold that.
 */
export class Expansion {
  private readonly sizes = new WeakMap<object, number>();
  /** Whether a value stands in the place of a reference. */
  readonly isView = (value: unknown): value is RecordView =>
    typeof value === 'object' && value !== null && this.sizes.has(value);
  private read = 0;
  private added = 0;

  /** @throws {DomainError} `invalid_query`: the targets are too long, each taken once */
  noteRead(rows: readonly RecordRow[]): void {
    this.read += sum(rows.map(sizeOf));
    requireWithin(this.read);
  }

  /**
   * @param inside what stands in the view in the place of references
   * @throws {DomainError} `invalid_query`: all that stands somewhere is too long
   */
  noteView(view: RecordView, row: RecordRow, inside: readonly RecordView[]): void {
    const added = sum(inside.map((part) => this.sizes.get(part) ?? 0));
    this.added += added;
    requireWithin(this.added);
    this.sizes.set(view, sizeOf(row) + added);
  }
}

function sizeOf({ body, data }: RecordRow): number {
  return EMPTY_SIZE + (body?.length ?? 0) + data.length;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function requireWithin(size: number): void {
  if (size <= MAX_SIZE) return;
  throw invalidQuery('expand', 'max', 'The expanded records are too long for one answer. Ask for fewer at once.');
}
