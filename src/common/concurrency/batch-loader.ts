import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Collects what is asked for during one turn of the event loop and asks for all of it together.
 * Whatever is answered was read after the question, so no caller sees less than they would have alone.
 */
export class BatchLoader<Key, Value> {
  private keys = new Set<Key>();
  private next: Promise<ReadonlyMap<Key, Value>> | undefined;

  constructor(private readonly load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {}

  async get(key: Key): Promise<Value | undefined> {
    this.keys.add(key);
    this.next ??= this.turn();
    return (await this.next).get(key);
  }

  private async turn(): Promise<ReadonlyMap<Key, Value>> {
    await nextTurn();
    const keys = [...this.keys];
    this.keys = new Set();
    this.next = undefined;
    return this.load(keys);
  }
}
