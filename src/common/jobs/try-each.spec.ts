import { tryEach } from './try-each.js';

describe('Tasks of a job', () => {
  let done: string[];
  let failing: Set<string>;

  beforeEach(() => {
    done = [];
    failing = new Set();
  });

  const work = (task: string): Promise<void> => {
    done.push(task);
    return failing.has(task) ? Promise.reject(new Error(`${task} fails`)) : Promise.resolve();
  };

  it('are all tried, though one fails, which is thrown at the end', async () => {
    failing = new Set(['t1', 't2']);

    await expect(tryEach(['t1', 't2', 't3'], work)).rejects.toThrow('t1 fails');

    expect(done).toEqual(['t1', 't2', 't3']);
  });

  it('are left once their signal is aborted', async () => {
    const controller = new AbortController();
    const stopping = (task: string): Promise<void> => {
      controller.abort();
      return work(task);
    };

    await tryEach(['t1', 't2'], stopping, controller.signal);

    expect(done).toEqual(['t1']);
  });
});
