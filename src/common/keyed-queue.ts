/** The work on one thing. */
interface Line {
  /** Ends with the last of it. */
  readonly tail: Promise<unknown>;
  readonly length: number;
}

/**
 * Runs work on one thing after the other and on different things side by side.
 * Writers of one record wait here and not in the database, where each would hold a connection.
 */
export class KeyedQueue<Key> {
  private readonly lines = new Map<Key, Line>();

  /** How much work on a thing is running or waits. */
  lengthOf(key: Key): number {
    return this.lines.get(key)?.length ?? 0;
  }

  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const { tail: previous = Promise.resolve() } = this.lines.get(key) ?? {};
    const result = previous.then(work, work);
    const tail = result
      .catch(() => undefined)
      .then(() => {
        this.shorten(key);
      });
    this.lines.set(key, { tail, length: this.lengthOf(key) + 1 });
    return result;
  }

  private shorten(key: Key): void {
    const line = this.lines.get(key);
    if (line && line.length > 1) this.lines.set(key, { ...line, length: line.length - 1 });
    else this.lines.delete(key);
  }
}
