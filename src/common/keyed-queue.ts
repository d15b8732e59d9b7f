/**
 * Runs work on one thing after the other and on different things side by side.
 * Writers of one record wait here and not in the database, where each would hold a connection.
 */
export class KeyedQueue<Key> {
  private readonly tails = new Map<Key, Promise<unknown>>();

  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const previous = this.tails.get(key) ?? Promise.resolve();
    const result = previous.then(work, work);
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (this.tails.get(key) === tail) this.tails.delete(key);
      });
    this.tails.set(key, tail);
    return result;
  }
}
