const FIRST_MS = 30_000;
const MOST_MS = 3_600_000;

/** A task that has failed so many times in a row, and the time by {@link performance.now} before which it rests. */
interface Failed {
  readonly times: number;
  readonly restsUntil: number;
}

/** One kind of tasks. */
interface TaskKind<Task> {
  readonly idOf: (task: Task) => number;
  readonly work: (task: Task) => Promise<void>;
}

/**
 * Tasks that a job tries until they succeed. One that fails holds up none of the others, and is tried again after half a
 * minute, then after twice as long each time, up to an hour. What has failed is remembered by the process alone.
 */
export class TaskRetries {
  private readonly failed = new Map<number, Failed>();

  /**
   * Does those that do not rest, one after the other.
   *
   * @param tasks all that there are
   * @param signal begins no further one once it is aborted
   * @throws what the first one failed with, when all others were tried
   */
  async run<Task>(
    tasks: Iterable<Task> | AsyncIterable<Task>,
    { idOf, work }: TaskKind<Task>,
    signal?: AbortSignal,
  ): Promise<void> {
    const errors: unknown[] = [];
    const known = new Set<number>();
    for await (const task of tasks) {
      if (signal?.aborted) break;
      const id = idOf(task);
      known.add(id);
      if (!this.rests(id)) await this.attempt(id, () => work(task)).catch((error: unknown) => errors.push(error));
    }
    if (!signal?.aborted) this.forgetAllBut(known);
    if (errors.length > 0) throw errors[0];
  }

  private rests(id: number): boolean {
    return performance.now() < (this.failed.get(id)?.restsUntil ?? 0);
  }

  private forgetAllBut(known: ReadonlySet<number>): void {
    for (const id of this.failed.keys()) if (!known.has(id)) this.failed.delete(id);
  }

  private async attempt(id: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.failed.delete(id);
    } catch (error) {
      const times = (this.failed.get(id)?.times ?? 0) + 1;
      this.failed.set(id, { times, restsUntil: performance.now() + Math.min(MOST_MS, FIRST_MS * 2 ** (times - 1)) });
      throw error;
    }
  }
}
