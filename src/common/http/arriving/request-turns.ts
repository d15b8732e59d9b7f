import type { NextFunction, Request, Response } from 'express';

/** Milliseconds that requests which arrive in one turn of the event loop may take together. */
const TURN_MS = 8;

/**
 * Spreads requests that arrive together over several turns of the event loop, in the order of arrival: some hundreds of
 * them in one turn would hold it for a tenth of a second, although each takes a fraction of a millisecond. Once a turn
 * is full, each of the others has one of its own. What waits is bounded by the open connections.
 *
 * @param now milliseconds of a clock that only goes forwards
 */
export function requestTurns(
  now: () => number = () => performance.now(),
): (request: Request, response: Response, next: NextFunction) => void {
  const waiting: NextFunction[] = [];
  let fullAt: number | null = null;

  const takeOne = (): void => {
    const next = waiting.shift();
    fullAt = next ? now() : null;
    if (!next) return;
    setImmediate(takeOne);
    next();
  };

  return (_request, _response, next) => {
    if (fullAt === null) {
      fullAt = now() + TURN_MS;
      setImmediate(takeOne);
    }
    if (waiting.length === 0 && now() < fullAt) next();
    else waiting.push(next);
  };
}
