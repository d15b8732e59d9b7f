import { pino } from 'pino';
import { JoinedWarnings } from './joined-warnings.js';

type Line = Record<string, unknown>;

describe('Equal warnings', () => {
  let lines: Line[];
  let warnings: JoinedWarnings;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    const write = (line: string): void => void lines.push(JSON.parse(line) as Line);
    warnings = new JoinedWarnings(pino({ base: null, timestamp: false }, { write }));
  });

  afterEach(() => jest.useRealTimers());

  let requests = 0;
  function fail(times: number, error = 'overloaded', reason?: unknown, message = 'Busy.'): void {
    for (let n = 0; n < times; n += 1) {
      requests += 1;
      warnings.warn({ request_id: `r${requests}`, error, ...(reason === undefined ? {} : { reason }) }, message);
    }
  }

  const counts = () => lines.map(({ count }) => count);
  const next = (): string => `r${requests + 1}`;

  it('are one line at once, as it was before, and one for all others within the second', () => {
    const first = next();
    fail(1, 'overloaded', 'ETIMEDOUT');
    expect(lines).toEqual([{ level: 40, request_id: first, error: 'overloaded', reason: 'ETIMEDOUT', msg: 'Busy.' }]);
    const second = next();
    fail(4_999, 'overloaded', 'ETIMEDOUT');
    jest.advanceTimersByTime(999);
    expect(lines).toHaveLength(1);
    jest.advanceTimersByTime(1);

    expect(lines.slice(1)).toEqual([
      { level: 40, request_id: second, error: 'overloaded', reason: 'ETIMEDOUT', count: 4_999, msg: 'Busy.' },
    ]);
  });

  it('that go on are a line a second, and none is lost', () => {
    for (let second = 0; second < 10; second += 1) {
      fail(100);
      jest.advanceTimersByTime(1_000);
    }

    expect(counts()).toEqual([undefined, 99, ...Array<number>(9).fill(100)]);
  });

  it('are a line at once again after a second without any', () => {
    fail(1);
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    fail(1);

    expect(counts()).toEqual([undefined, undefined]);
  });

  it('are not those of another error or another reason', () => {
    fail(2, 'overloaded', 'ECONNREFUSED');
    fail(2, 'overloaded', 'ETIMEDOUT');
    fail(2, 'storage_full', 'ENOSPC');
    jest.advanceTimersByTime(1_000);

    expect(counts()).toEqual([undefined, undefined, undefined, 1, 1, 1]);
    expect(lines.map(({ reason }) => reason).slice(3)).toEqual(['ECONNREFUSED', 'ETIMEDOUT', 'ENOSPC']);
  });

  it('are not those with another message', () => {
    fail(2, 'overloaded', undefined, 'Too many writes are waiting.');
    fail(3, 'overloaded', undefined, 'Too many long answers are on their way.');
    jest.advanceTimersByTime(1_000);

    expect(lines.map(({ msg, count }) => [msg, count])).toEqual([
      ['Too many writes are waiting.', undefined],
      ['Too many long answers are on their way.', undefined],
      ['Too many writes are waiting.', 1],
      ['Too many long answers are on their way.', 2],
    ]);
  });

  it('take no memory for each reason, however many there are', () => {
    for (let n = 0; n < 10_000; n += 1) fail(1, 'overloaded', `reason ${n}`);

    expect(jest.getTimerCount()).toBe(65);
    jest.advanceTimersByTime(1_000);
    expect(lines).toHaveLength(66);
    expect(lines.at(-1)).toMatchObject({ reason: 'reason 65', count: 10_000 - 65 });
  });

  it('are written when the service stops, before their second is over', () => {
    fail(8);

    warnings.close();

    expect(counts()).toEqual([undefined, 7]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
