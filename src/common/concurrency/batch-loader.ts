import { setImmediate as nextTurn } from 'node:timers/promises';

/** Collects the keys of one turn of the event loop and asks for all of them together, after the last question. */
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
