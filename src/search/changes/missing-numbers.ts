/** Numbers from one to another, both included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

interface MissingRange extends NumberRange {
  /** Since when they are missed, on the clock that never jumps. */
  readonly since: number;
}

/** So many of the youngest ranges are asked for one by one; when there are twice as many, the older ones become a span. */
const MOST_RANGES = 100;

/**
 * Numbers of rows that were passed over: those of units that have not ended yet, of units that were undone, and, in a
 * cluster that numbers in steps, of rows that will never be. Few ranges as a rule; in such a cluster about as many as
 * rows.
 */
export class MissingNumbers {
  /** In ascending order, and none next to another one of the same age. */
  private ranges: MissingRange[] = [];
  /** Ranges up to this one's end are read together, with rows between them that are known. */
  private old: NumberRange | null = null;

  /** Adds numbers above all that are there. */
  add({ from, to }: NumberRange, since: number): void {
    if (from > to) return;
    this.ranges.push({ from, to, since });
    if (this.young.length > 2 * MOST_RANGES) this.joinOld();
  }

  /** Takes a number out. Returns whether it was missed. */
  take(number: number): boolean {
    const at = this.placeOf(number);
    const range = this.ranges[at];
    if (!range || range.from > number) return false;
    const { from, to, since } = range;
    const rest = [
      { from, to: number - 1, since },
      { from: number + 1, to, since },
    ];
    this.ranges.splice(at, 1, ...rest.filter((part) => part.from <= part.to));
    return true;
  }

  /** Gives up what is missed since before a moment. */
  forget(before: number): void {
    if ((this.ranges[0]?.since ?? Infinity) >= before) return;
    this.ranges = this.ranges.filter(({ since }) => since >= before);
    if (this.old && (this.ranges[0]?.from ?? Infinity) > this.old.to) this.old = null;
  }

  clear(): void {
    this.ranges = [];
    this.old = null;
  }

  get lowest(): number | null {
    return this.ranges[0]?.from ?? null;
  }

  /** Ranges to be asked for one by one. */
  get young(): readonly NumberRange[] {
    const { old } = this;
    return old ? this.ranges.slice(this.placeOf(old.to + 1)) : this.ranges;
  }

  /** Where all other missing numbers are, among others. It stays the same while a hundred more ranges come. */
  get span(): NumberRange | null {
    return this.old;
  }

  /** Ranges that hold all missing numbers, in ascending order; those of a span are joined. */
  get all(): readonly NumberRange[] {
    return [...(this.old ? [this.old] : []), ...this.young].map(({ from, to }) => ({ from, to }));
  }

  private joinOld(): void {
    const [first] = this.ranges;
    const last = this.ranges.at(-MOST_RANGES - 1);
    if (first && last) this.old = { from: first.from, to: last.to };
  }

  /** The place of the first range that ends at a number or behind it. */
  private placeOf(number: number): number {
    let [low, high] = [0, this.ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ranges[middle]?.to ?? Infinity) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
