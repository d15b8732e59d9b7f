import type { ClockReading } from '../servers/host.js';

/** Of more heartbeats than that every second one is forgotten. */
const MOST = 128;

/** A heartbeat, and when the server that is written to was first seen with it, in the milliseconds of `performance.now()`. */
interface SeenBeat {
  readonly beat: number;
  readonly at: number;
}

/**
 * How far a replica is behind. Heartbeats have the time of the database, whose clock may be set back: the next ones are
 * then ahead of it, and so is the one of a replica that has stopped. So it also counts for how long the server that is
 * written to has had a heartbeat that the replica lacks, by a clock that never jumps.
 */
export class ReplicaLag {
  /** In the order of their times. */
  private lacked: readonly SeenBeat[] = [];

  /**
   * @param writer the last answer of the server that is written to
   * @param beat the last heartbeat of the replica
   * @returns milliseconds
   */
  measure(writer: ClockReading, beat: number): number {
    this.note(writer, beat);
    const now = performance.now();
    const byClock = writer.now + now - writer.at - beat;
    const [oldest] = this.lacked;
    return Math.max(0, byClock, oldest === undefined ? 0 : now - oldest.at);
  }

  private note({ beat: newest, beatSince }: ClockReading, beat: number): void {
    // Of a server that was changed for this one: it has a later heartbeat, or none of these.
    const lacked = this.lacked.filter((seen) => seen.beat > beat && seen.beat <= newest);
    if (newest > beat && lacked.at(-1)?.beat !== newest) lacked.push({ beat: newest, at: beatSince });
    this.lacked = lacked.length > MOST ? lacked.filter((_, n) => n % 2 === 0) : lacked;
  }
}
