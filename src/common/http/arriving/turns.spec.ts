import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { stopMonotonicClock } from '../../../../test/support/clock.js';
import { requestTurns } from './turns.js';

const REQUEST = {} as Request;
const RESPONSE = {} as Response;

/** Requests that take 3 ms each of a clock that nothing else moves. */
function arriving() {
  const pass = stopMonotonicClock();
  const taken: number[] = [];
  const turns = requestTurns();
  const arrive = (request: number): void => {
    turns(REQUEST, RESPONSE, () => {
      pass(3);
      taken.push(request);
    });
  };
  return { taken, arrive };
}

describe('Requests that arrive together', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('fill one turn of the event loop after the other', async () => {
    const { taken, arrive } = arriving();
    for (let request = 1; request <= 9; request += 1) arrive(request);
    expect(taken).toEqual([1, 2, 3]);
    await nextTurn();
    expect(taken).toEqual([1, 2, 3, 4]);
    await nextTurn();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await nextTurn();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('are taken in the order of arrival, also those that come while others wait', async () => {
    const { taken, arrive } = arriving();
    for (let request = 1; request <= 5; request += 1) arrive(request);
    await nextTurn();
    arrive(6);
    for (let turn = 0; turn < 4; turn += 1) await nextTurn();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('do not wait for those of an earlier turn that are done', async () => {
    const { taken, arrive } = arriving();
    for (let request = 1; request <= 3; request += 1) arrive(request);
    await nextTurn();
    arrive(4);
    expect(taken).toEqual([1, 2, 3, 4]);
  });
});
