import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { Registry } from 'prom-client';
import { LoadLimit, LoopDelay } from './load-limit.js';

const LATE = 521;

/** A loop whose steps take as long as they are set to, by a clock of its own. */
function loop() {
  let now = 1_000;
  const delay = new LoopDelay(now);
  const step = (ms: number): boolean => {
    delay.step((now += ms));
    return delay.isLate;
  };
  /** Steps in time for so long. @returns what was found after each */
  const calm = (ms: number): boolean[] => Array.from({ length: ms / 20 }, () => step(20));
  return { step, calm };
}

describe('The delay of the event loop', () => {
  it('is too long after three late steps, and all right after one second without', () => {
    const { step, calm } = loop();

    expect([step(LATE), step(LATE), step(LATE)]).toEqual([false, false, true]);
    expect(calm(980)).not.toContain(false);
    expect(calm(20)).toEqual([false]);
  });

  it('is that of the last five seconds: an older late step keeps no client out', () => {
    const { step, calm } = loop();
    step(LATE);
    step(LATE);
    calm(3_900);
    expect(step(LATE)).toBe(true);

    calm(4_000);
    expect(step(LATE)).toBe(false);
  });

  it('is too long at steps above the limit, not at it', () => {
    const [at, above] = [loop(), loop()];

    expect(Array.from({ length: 20 }, () => at.step(520))).not.toContain(true);
    expect(Array.from({ length: 20 }, () => above.step(521))).toContain(true);
  });

  it('is all right at one or two long steps, and too long at steps of seconds', () => {
    const { step, calm } = loop();

    step(60_000);
    step(60_000);
    expect(calm(5_000)).not.toContain(true);
    expect(Array.from({ length: 5 }, () => step(3_000))).toContain(true);
  });

  it('of this process is in time', () => {
    const { delay, end } = LoopDelay.watch();

    expect(delay.isLate).toBe(false);
    end();
  });
});

describe('A service whose event loop is late', () => {
  /** What became of a request: its refusal, if it was refused, and what ends it. */
  function arrive(enter: ReturnType<LoadLimit['middleware']>) {
    const response = new EventEmitter();
    let refusal: unknown;
    const request = { originalUrl: '/api/cms/post', ip: '192.0.2.1', headers: {} } as Request;
    enter(request, response as Response, (error) => (refusal = error));
    return { refusal, end: () => response.emit('close') };
  }

  it('lets in what it has room for while little is under way, and refuses the rest', () => {
    const enter = new LoadLimit(512, new Registry()).middleware({ isLate: true });

    const first = Array.from({ length: 32 }, () => arrive(enter));
    const further = arrive(enter);
    first[0]?.end();
    const after = arrive(enter);

    expect(first.map(({ refusal }) => refusal)).toEqual(Array.from({ length: 32 }, () => undefined));
    expect(further.refusal).toMatchObject({ error: 'overloaded' });
    expect(after.refusal).toBeUndefined();
  });
});
