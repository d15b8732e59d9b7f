import { stopMonotonicClock } from '../../../test/support/clock.js';
import type { ClockReading } from '../servers/host.js';
import { ReplicaLag } from './replica-lag.js';

const HOUR_MS = 3_600_000;
const NOW = 1_790_000_000_000;

describe('The lag of a replica', () => {
  let lag: ReplicaLag;
  let pass: (milliseconds: number) => void;

  beforeEach(() => {
    pass = stopMonotonicClock();
    lag = new ReplicaLag();
  });

  afterEach(() => jest.restoreAllMocks());

  /** What the server that is written to has just answered, with a heartbeat that it did not have before. */
  const answer = (now: number, beat: number): ClockReading => ({
    now,
    beat,
    at: performance.now(),
    beatSince: performance.now(),
  });

  it('is the age of its heartbeat by the clock of the server that is written to', () => {
    expect(lag.measure(answer(NOW, NOW - 400), NOW - 5_400)).toBe(5_400);
    expect(lag.measure(answer(NOW, NOW - 400), NOW - 400)).toBe(400);
  });

  it('grows with the time since that server answered', () => {
    const writer = answer(NOW, NOW);
    pass(3_000);

    expect(lag.measure(writer, NOW)).toBe(3_000);
  });

  it('is nothing where it has a heartbeat that is newer than the answer of that server', () => {
    expect(lag.measure(answer(NOW, NOW - 900), NOW + 100)).toBe(0);
  });

  describe('after the clock was set back by an hour', () => {
    const LAST = NOW + HOUR_MS;

    it('is the time for which that server has had a heartbeat that it lacks', () => {
      for (let n = 0; n <= 10; n += 1) {
        expect(lag.measure(answer(NOW + n * 1_000, LAST + n), LAST)).toBeCloseTo(Math.max(0, n - 1) * 1_000);
        pass(1_000);
      }
    });

    it('is nothing while it gets each heartbeat', () => {
      for (let n = 0; n <= 10; n += 1) {
        expect(lag.measure(answer(NOW + n * 1_000, LAST + n), LAST + n)).toBe(0);
        pass(1_000);
      }
    });

    it('stays that of a replica that follows five seconds behind', () => {
      const found: number[] = [];
      for (let n = 0; n <= 10; n += 1) {
        found.push(lag.measure(answer(NOW + n * 1_000, LAST + n), LAST + n - 5));
        pass(1_000);
      }

      expect(found.slice(5).map(Math.round)).toEqual(found.slice(5).map(() => 4_000));
    });

    it('is known of one that has stood still for a day, and while it catches up', () => {
      const DAY = 86_400;
      for (let n = 0; n <= DAY; n += 1) {
        lag.measure(answer(NOW + n * 1_000, LAST + n), LAST);
        pass(1_000);
      }
      expect(lag.measure(answer(NOW, LAST + DAY), LAST) / 1_000).toBeGreaterThan(DAY - 2);

      expect(lag.measure(answer(NOW, LAST + DAY), LAST + DAY - 60) / 1_000).toBeGreaterThan(40);
      expect(lag.measure(answer(NOW, LAST + DAY), LAST + DAY)).toBe(0);
    });

    it('does not count heartbeats that the server that is written to lost in a failover', () => {
      lag.measure(answer(NOW, LAST), NOW);
      pass(5_000);

      expect(lag.measure(answer(NOW + 5_000, NOW + 5_000), NOW + 5_000)).toBe(0);
    });
  });
});
