import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type Logger } from 'pino';
import { JobQueue } from './job-queue.js';
import { overloaded } from '../errors/overloaded.js';

describe('JobQueue', () => {
  let lines: string[];
  let log: Logger;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    log = pino({}, { write: (line: string) => lines.push(line) });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Work that ends when it is stopped. */
  function slow(): { work: () => Promise<void>; end: () => void; begun: () => number } {
    const ends: (() => void)[] = [];
    return {
      work: () => new Promise((resolve) => ends.push(resolve)),
      end: () => ends.at(-1)?.(),
      begun: () => ends.length,
    };
  }

  it('are logged in one line, without a stack, when they cannot be done for a time', async () => {
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const translate = (cause: unknown) => (cause === gone ? overloaded('The database is gone.', cause) : null);
    const queue = new JobQueue(log, 'a job failed', translate);

    await queue.start(() => Promise.reject(gone));
    await queue.start(() => Promise.reject(overloaded('Too much.')));
    await queue.start(() => Promise.reject(new Error('a defect')));

    const seen = lines.map((line) => JSON.parse(line) as object);
    expect(seen).toEqual([
      expect.objectContaining({ level: 40, error: 'overloaded', reason: 'ECONNREFUSED', msg: 'a job failed' }),
      expect.objectContaining({ level: 40, error: 'overloaded', msg: 'a job failed' }),
      expect.objectContaining({ level: 50, err: expect.anything(), msg: 'a job failed' }),
    ]);
    expect(seen[0]).not.toHaveProperty('err');
  });

  it('does one thing after the other', async () => {
    const queue = new JobQueue(log, 'a job failed', () => null);
    const [first, second] = [slow(), slow()];

    void queue.start(first.work);
    void queue.start(second.work);
    await jest.advanceTimersByTimeAsync(0);
    expect([first.begun(), second.begun()]).toEqual([1, 0]);

    first.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(second.begun()).toBe(1);
  });

  it('does nothing as a part of what has asked for it', async () => {
    const unit = new AsyncLocalStorage<string>();
    const queue = new JobQueue(log, 'a job failed', () => null);
    const seen: unknown[] = [];

    await unit.run('open', () => queue.start(() => Promise.resolve(seen.push(unit.getStore()))));

    expect(seen).toEqual([undefined]);
  });

  it('does not ask twice for what takes longer than its time', async () => {
    const queue = new JobQueue(log, 'a job failed', () => null);
    const { work, end, begun } = slow();

    queue.every(10, work);
    await jest.advanceTimersByTimeAsync(35);
    expect(begun()).toBe(1);

    end();
    await jest.advanceTimersByTimeAsync(10);
    expect(begun()).toBe(2);
  });

  it('logs a failure and goes on', async () => {
    const queue = new JobQueue(log, 'a job failed', () => null);
    const work = jest.fn().mockRejectedValue(new Error('full disk'));

    queue.every(10, work);
    await jest.advanceTimersByTimeAsync(20);
    await queue.stop();

    expect(work).toHaveBeenCalledTimes(2);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'a job failed' }),
      expect.objectContaining({ msg: 'a job failed' }),
    ]);
  });

  it('waits at its end for what is under way, and begins nothing more', async () => {
    const queue = new JobQueue(log, 'a job failed', () => null);
    const [first, second] = [slow(), slow()];
    let isStopped = false;
    void queue.start(first.work);
    void queue.start(second.work);
    await jest.advanceTimersByTimeAsync(0);

    const stopped = queue.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(100);
    expect([queue.isStopping, isStopped]).toEqual([true, false]);

    first.end();
    await stopped;
    expect(second.begun()).toBe(0);
  });
});
