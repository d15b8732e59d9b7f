/** Values that are true in one state of a file, so that turning pages does not find them out again. */
export class StateMemory<Value> {
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
