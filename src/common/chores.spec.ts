import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type Logger } from 'pino';
import { Chores } from './chores.js';
import { overloaded } from './errors/overloaded.js';

describe('Chores', () => {
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
    const chores = new Chores(log, 'a chore failed', translate);

    await chores.start(() => Promise.reject(gone));
    await chores.start(() => Promise.reject(overloaded('Too much.')));
    await chores.start(() => Promise.reject(new Error('a defect')));

    const seen = lines.map((line) => JSON.parse(line) as object);
    expect(seen).toEqual([
      expect.objectContaining({ level: 40, error: 'overloaded', reason: 'ECONNREFUSED', msg: 'a chore failed' }),
      expect.objectContaining({ level: 40, error: 'overloaded', msg: 'a chore failed' }),
      expect.objectContaining({ level: 50, err: expect.anything(), msg: 'a chore failed' }),
    ]);
    expect(seen[0]).not.toHaveProperty('err');
  });

  it('does one thing after the other', async () => {
    const chores = new Chores(log, 'a chore failed', () => null);
    const [first, second] = [slow(), slow()];

    void chores.start(first.work);
    void chores.start(second.work);
    await jest.advanceTimersByTimeAsync(0);
    expect([first.begun(), second.begun()]).toEqual([1, 0]);

    first.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(second.begun()).toBe(1);
  });

  it('does nothing as a part of what has asked for it', async () => {
    const unit = new AsyncLocalStorage<string>();
    const chores = new Chores(log, 'a chore failed', () => null);
    const seen: unknown[] = [];

    await unit.run('open', () => chores.start(() => Promise.resolve(seen.push(unit.getStore()))));

    expect(seen).toEqual([undefined]);
  });

  it('does not ask twice for what takes longer than its time', async () => {
    const chores = new Chores(log, 'a chore failed', () => null);
    const { work, end, begun } = slow();

    chores.every(10, work);
    await jest.advanceTimersByTimeAsync(35);
    expect(begun()).toBe(1);

    end();
    await jest.advanceTimersByTimeAsync(10);
    expect(begun()).toBe(2);
  });

  it('logs a failure and goes on', async () => {
    const chores = new Chores(log, 'a chore failed', () => null);
    const work = jest.fn().mockRejectedValue(new Error('full disk'));

    chores.every(10, work);
    await jest.advanceTimersByTimeAsync(20);
    await chores.stop();

    expect(work).toHaveBeenCalledTimes(2);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'a chore failed' }),
      expect.objectContaining({ msg: 'a chore failed' }),
    ]);
  });

  it('waits at its end for what is under way, and begins nothing more', async () => {
    const chores = new Chores(log, 'a chore failed', () => null);
    const [first, second] = [slow(), slow()];
    let isStopped = false;
    void chores.start(first.work);
    void chores.start(second.work);
    await jest.advanceTimersByTimeAsync(0);

    const stopped = chores.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(100);
    expect([chores.isStopping, isStopped]).toEqual([true, false]);

    first.end();
    await stopped;
    expect(second.begun()).toBe(0);
  });
});
