import { LRUCache } from 'lru-cache';

/** The time for which another process may not notice an end, milliseconds: 5 s are promised, and the question takes time. */
const MAX_AGE_MS = 4_000;
const MAX_ENTRIES = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly checkedAt: number;
}

/** Caches what was found about credentials within the last few seconds. An unknown one is not remembered. */
export class CredentialCache<Value> {
  private readonly entries = new LRUCache<string, Entry<Value>>({ max: MAX_ENTRIES });
  private readonly searches = new Map<string, Promise<Value | null>>();

  /** @param find `null` where there is nothing behind a key */
  constructor(
    private readonly clock: { now(): number },
    private readonly find: (key: string) => Promise<Value | null>,
  ) {}

  /** The value that is known by now; `undefined` where the database has to be asked. */
  known(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    const age = this.clock.now() - entry.checkedAt;
    // A clock that was put back must not lengthen the trust.
    return age >= 0 && age < MAX_AGE_MS ? entry.value : undefined;
  }

  /** The same, asking where it has to be. */
  async get(key: string): Promise<Value | null> {
    return this.known(key) ?? this.search(key);
  }

  /** True if something was found for a key before, however long ago. Of {@link MAX_ENTRIES} keys at most. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  forget(key: string): void {
    this.entries.delete(key);
    // What a search in flight has read may be older than the change.
    this.searches.delete(key);
  }

  /** The same for all of them. They stay known as keys that were good once: {@link has}. */
  forgetAll(): void {
    for (const [key, { value }] of [...this.entries]) this.entries.set(key, { value, checkedAt: -Infinity });
    this.searches.clear();
  }

  private search(key: string): Promise<Value | null> {
    const running = this.searches.get(key);
    if (running) return running;
    const checkedAt = this.clock.now();
    const search: Promise<Value | null> = this.find(key)
      .then((value) => {
        if (value !== null && this.searches.get(key) === search) this.entries.set(key, { value, checkedAt });
        return value;
      })
      .finally(() => {
        if (this.searches.get(key) === search) this.searches.delete(key);
      });
    this.searches.set(key, search);
    return search;
  }
}
