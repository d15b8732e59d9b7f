/** One lazily created value per object, released with the object. */
export class PerObject<Owner extends object, Value> {
  private readonly values = new WeakMap<Owner, Value>();

  constructor(private readonly make: (owner: Owner) => Value) {}

  of(owner: Owner): Value {
    const known = this.values.get(owner);
    if (known !== undefined) return known;
    const value = this.make(owner);
    this.values.set(owner, value);
    return value;
  }
}
