import type { EventRow } from './event-row.js';

/** A few megabytes. */
const MAX_EVENTS = 10_000;
/** Dropped at once, so that under a flood not every event moves all others. */
const GIVEN_UP = 1_000;

/** A bounded buffer of events that wait to be written. When it is full the oldest are dropped and counted. */
export class EventBuffer {
  private rows: EventRow[] = [];
  private dropped = 0;

  get size(): number {
    return this.rows.length;
  }

  add(row: EventRow): void {
    this.rows.push(row);
    this.dropOldest();
  }

  /** The oldest ones, which are not here any more. */
  take(count: number): readonly EventRow[] {
    return this.rows.splice(0, count);
  }

  /** Those that were taken and could not be written. */
  putBack(rows: readonly EventRow[]): void {
    this.rows = [...rows, ...this.rows];
    this.dropOldest();
  }

  /** The number of events dropped since the last call. */
  takeDropped(): number {
    const { dropped } = this;
    this.dropped = 0;
    return dropped;
  }

  private dropOldest(): void {
    if (this.rows.length <= MAX_EVENTS) return;
    this.dropped += this.rows.splice(0, this.rows.length - MAX_EVENTS + GIVEN_UP).length;
  }
}
