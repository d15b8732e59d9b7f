import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { stopMonotonicClock } from '../../test/support/clock.js';
import type { Dialect } from '../database/dialect/dialect.js';
import type { Reads } from '../database/statements/reads.js';
import { DatabaseProbe } from './database-probe.js';

const BUSY = Object.assign(new Error('No connection of the pool became free in time.'), { code: 'POOL_TIMEOUT' });
const UNANSWERED = Object.assign(new Error('Query inactivity timeout'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' });
const LONGER_THAN_SILENCE_MS = 6_000;

describe('DatabaseProbe', () => {
  let answer: () => Promise<unknown[]>;
  let pass: (milliseconds: number) => void;
  let lines: unknown[][];

  beforeEach(() => {
    lines = [];
    pass = stopMonotonicClock();
    answer = () => Promise.resolve([{ now: 0 }]);
  });

  afterEach(() => jest.restoreAllMocks());

  const probe = (): DatabaseProbe =>
    new DatabaseProbe(
      { select: () => answer() } as unknown as Reads,
      { now: 'now' } as unknown as Dialect,
      { now: () => 0 },
      {
        info: (...line: unknown[]) => lines.push(['info', ...line]),
        warn: (...line: unknown[]) => lines.push(['warn', ...line]),
      } as unknown as Logger,
      new Registry(),
    );

  async function isInTrouble(checked: DatabaseProbe): Promise<boolean> {
    pass(LONGER_THAN_SILENCE_MS);
    await checked.probe();
    return checked.trouble !== null;
  }

  it('takes a pool whose connections are all busy for no trouble of the database', async () => {
    const checked = probe();
    answer = () => Promise.reject(BUSY);

    expect(await isInTrouble(checked)).toBe(false);
    expect(await isInTrouble(checked)).toBe(false);
  });

  it('warns once while the clocks of process and database differ by a minute, and says when they agree again', async () => {
    const checked = probe();
    const differingBy = (ms: number) => (answer = () => Promise.resolve([{ now: ms }]));

    for (const ms of [59_000, -61_000, 61_000, 120_000, 1_000, 0]) {
      differingBy(ms);
      await checked.probe();
    }

    expect(lines).toEqual([
      ['warn', { skew_s: 61 }, expect.stringContaining('differ')],
      ['info', expect.stringContaining('agree again')],
    ]);
  });

  it('stays in trouble after a statement without an answer until one is answered', async () => {
    const checked = probe();
    answer = () => Promise.reject(UNANSWERED);
    expect(await isInTrouble(checked)).toBe(true);

    answer = () => Promise.reject(BUSY);
    expect(await isInTrouble(checked)).toBe(true);

    answer = () => Promise.resolve([{ now: 0 }]);
    expect(await isInTrouble(checked)).toBe(false);
  });
});
