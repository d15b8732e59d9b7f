/** A cache of values that hold for one state of a file, so that further pages of a search do not compute them again. */
export class StateCache<Value> {
  private readonly values = new Map<string, Value>();
  private state = '';

  constructor(private readonly most = 1_000) {}

  of(state: string, key: string, find: () => Value): Value {
    if (state !== this.state || this.values.size >= this.most) this.values.clear();
    this.state = state;
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const value = find();
    this.values.set(key, value);
    return value;
  }
}
