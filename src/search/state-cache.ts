/** A cache of values that hold for one state of an index: as long as nothing is written, what is asked again is the same. */
export class StateCache<Value> {
  private readonly values = new Map<string, Value>();
  private state = '';

  /** @param most values that are kept; one more makes it begin anew */
  constructor(private readonly most: number) {}

  /** The value that is known for a state, or else the one that is found now. */
  of(state: string, key: string, find: () => Value): Value {
    if (state !== this.state || this.values.size >= this.most) this.values.clear();
    this.state = state;
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const value = find();
    this.values.set(key, value);
    return value;
  }

  forget(key: string): void {
    this.values.delete(key);
  }
}
