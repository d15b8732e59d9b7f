/** Records that are named, of those that a change concerns. */
export const MAX_EXAMPLES = 10;
/** Values that are compared with each other: some 40 MB of memory. */
const MOST_VALUES = 250_000;

/** Counts records whose value another one has. The unique index has the last word on values beyond {@link MOST_VALUES}. */
export class RepeatedValues {
  /** The first record with each value; `null`: the value is known to repeat. */
  private readonly firsts = new Map<string, number | null>();
  private readonly named: number[] = [];
  records = 0;

  /** Ids of some of these records. */
  get examples(): readonly number[] {
    return this.named.toSorted((a, b) => a - b);
  }

  /**
   * @param key text that is equal for equal values
   * @param id of the record
   */
  look(key: string, id: number): void {
    const first = this.firsts.get(key);
    if (first === undefined) {
      if (this.firsts.size < MOST_VALUES) this.firsts.set(key, id);
      return;
    }
    for (const one of first === null ? [id] : [first, id]) this.add(one);
    this.firsts.set(key, null);
  }

  private add(id: number): void {
    this.records += 1;
    if (this.named.length < MAX_EXAMPLES) this.named.push(id);
  }
}
