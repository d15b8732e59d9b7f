interface Entry<Value> {
  readonly state: string;
  readonly value: Value;
}

/** A cache of values that hold for one state of an index: as long as nothing is written, what is asked again is the same. */
export class StateCache<Value> {
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry<Value>>();
  private weight = 0;

  /** @param most weight of all values together */
  constructor(
    private readonly most: number,
    private readonly weightOf: (value: Value) => number = () => 1,
  ) {}

  get(state: string, key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry?.state !== state) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(state: string, key: string, value: Value): void {
    this.remove(key);
    this.entries.set(key, { state, value });
    this.weight += this.weightOf(value);
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.most) break;
      this.remove(oldest);
    }
  }

  /** The value that is known for a state, or else the one that is found now. */
  of(state: string, key: string, find: () => Value): Value {
    const known = this.get(state, key);
    if (known !== undefined) return known;
    const value = find();
    this.set(state, key, value);
    return value;
  }

  private remove(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.weight -= this.weightOf(entry.value);
  }
}
