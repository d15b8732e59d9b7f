import { ownTurn } from './own-turn.js';

/** The time for which a change that another process made may go unnoticed, milliseconds, where nothing else is said. */
const MAX_AGE_MS = 1_000;

/**
 * Caches a small value that many requests need and that seldom changes. A change in this process shows at once by
 * {@link refresh}, one of another process within a second, or within the time that is given.
 */
export class CachedValue<Value> {
  /** The time at which the value was known to be true, on the clock that never jumps. */
  private checkedAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<Value> | undefined;

  /** @param read what is true now; may answer `known` where that has not changed */
  constructor(
    private value: Value,
    private readonly read: (known: Value) => Promise<Value>,
    private readonly maxAgeMs = MAX_AGE_MS,
  ) {}

  async current(): Promise<Value> {
    if (performance.now() - this.checkedAt < this.maxAgeMs) return this.value;
    if (this.loading) return this.loading.finally(ownTurn);
    this.loading = this.load();
    return this.loading;
  }

  fresh(): Promise<Value> {
    this.refresh();
    return this.current();
  }

  /** Has the next question read anew. */
  refresh(): void {
    this.checkedAt = Number.NEGATIVE_INFINITY;
    // What is being read right now may be older than the change.
    this.loading = undefined;
  }

  /** One look for all that ask at the same time; they go on in turns of the event loop of their own. */
  private load(): Promise<Value> {
    const startedAt = performance.now();
    const loading: Promise<Value> = this.read(this.value).then(
      (read) => {
        if (this.loading === loading) {
          this.value = read;
          this.checkedAt = startedAt;
          this.loading = undefined;
        }
        return read;
      },
      (error: unknown) => {
        if (this.loading === loading) this.loading = undefined;
        throw error;
      },
    );
    return loading;
  }
}
