import { createHash } from 'node:crypto';

/** Values that are remembered at a time: in twice as many places of 8 bytes. */
const CAPACITY = 2 ** 20;
const PLACES = 2 * CAPACITY;
/** The lowest bit of a place says whether its value is known to repeat. */
const REPEATS = 1n;
/** Records that are named, of those whose value repeats. */
export const MAX_EXAMPLES = 10;

/**
 * Counts records whose value another one has, in 16 MiB however many there are: what does not fit is looked at in
 * another pass over the records, and where values repeat the last pass names records. Values are distinguished by 63
 * bits of their SHA-256.
 */
export class RepeatedValues {
  private readonly places: BigUint64Array;
  private readonly passes: bigint;
  private pass = 0n;
  private found = 0;
  private used = 0;
  private isNaming = false;
  /** Some of the values that repeat, by their hashes. */
  private readonly repeating = new Set<bigint>();
  private readonly named: number[] = [];

  /** @param most values that there may be */
  constructor(most: number) {
    this.passes = BigInt(Math.max(1, Math.ceil(most / CAPACITY)));
    this.places = new BigUint64Array(Math.min(PLACES, Math.max(1_024, 2 * most)));
  }

  /** Records whose value repeats, of the passes up to now. */
  get records(): number {
    return this.found;
  }

  /** Ids of some of these records, after the last pass. */
  get examples(): readonly number[] {
    return this.named;
  }

  /**
   * @param key text that is equal for equal values
   * @param id of the record
   */
  look(key: string, id: number): void {
    const hash = createHash('sha256').update(key).digest().readBigUInt64LE() & ~REPEATS;
    if (this.isNaming) this.name(hash, id);
    else if ((hash >> 40n) % this.passes === this.pass) this.count(hash);
  }

  /** Begins the next pass. Returns whether there is one. */
  next(): boolean {
    if (this.isNaming) return false;
    this.pass += 1n;
    this.used = 0;
    this.places.fill(0n);
    this.isNaming = this.pass === this.passes && this.repeating.size > 0;
    return this.pass < this.passes || this.isNaming;
  }

  private name(hash: bigint, id: number): void {
    if (this.named.length < MAX_EXAMPLES && this.repeating.has(hash)) this.named.push(id);
  }

  private count(hash: bigint): void {
    const size = this.places.length;
    for (let at = Number((hash >> 1n) % BigInt(size)); ; at = (at + 1) % size) {
      const there = this.places[at] ?? 0n;
      if (there === 0n) {
        this.remember(hash, at);
        return;
      }
      if ((there & ~REPEATS) !== hash) continue;
      this.found += (there & REPEATS) === 0n ? 2 : 1;
      this.places[at] = there | REPEATS;
      if (this.repeating.size < MAX_EXAMPLES) this.repeating.add(hash);
      return;
    }
  }

  /** There are more values than were said to come when it is full: the unique index has the last word on these. */
  private remember(hash: bigint, at: number): void {
    if (this.used >= (3 / 4) * this.places.length) return;
    this.used += 1;
    this.places[at] = hash;
  }
}
