import { stopMonotonicClock } from '../../../test/support/clock.js';
import { TaskRetries } from './task-retries.js';

describe('Tasks that a job tries until they succeed', () => {
  let done: string[];
  let failing: Set<string>;

  beforeEach(() => {
    done = [];
    failing = new Set();
  });

  afterEach(() => jest.restoreAllMocks());

  const work = (task: string): Promise<void> => {
    done.push(task);
    return failing.has(task) ? Promise.reject(new Error(`${task} fails`)) : Promise.resolve();
  };
  const kind = { idOf: (task: string) => Number(task.slice(1)), work };

  it('are all tried, though one fails, which is thrown at the end', async () => {
    failing = new Set(['t1', 't2']);

    await expect(new TaskRetries().run(['t1', 't2', 't3'], kind)).rejects.toThrow('t1 fails');

    expect(done).toEqual(['t1', 't2', 't3']);
  });

  it('rest after a failure, twice as long each time and an hour at most', async () => {
    const pass = stopMonotonicClock();
    const retries = new TaskRetries();
    failing = new Set(['t1']);
    const run = () => retries.run(['t1'], kind).catch(() => undefined);

    for (const rest of [30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000]) {
      done = [];
      await run();
      pass(rest - 1);
      await run();
      expect(done).toEqual(['t1']);
      pass(1);
    }
  });

  it('begin anew with their rests once they have succeeded, or were gone', async () => {
    const pass = stopMonotonicClock();
    const retries = new TaskRetries();
    failing = new Set(['t1', 't2']);
    await retries.run(['t1', 't2'], kind).catch(() => undefined);
    pass(30_000);
    failing = new Set();
    await retries.run(['t1'], kind);

    failing = new Set(['t1', 't2']);
    done = [];
    await retries.run(['t1', 't2'], kind).catch(() => undefined);
    pass(30_000);
    await retries.run(['t1', 't2'], kind).catch(() => undefined);

    expect(done).toEqual(['t1', 't2', 't1', 't2']);
  });

  it('are left once their signal is aborted', async () => {
    const controller = new AbortController();
    const stopping = (task: string): Promise<void> => {
      controller.abort();
      return work(task);
    };

    await new TaskRetries().run(['t1', 't2'], { ...kind, work: stopping }, controller.signal);

    expect(done).toEqual(['t1']);
  });
});
