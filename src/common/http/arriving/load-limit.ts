import type { NextFunction, Request, Response } from 'express';
import { randomInt } from 'node:crypto';
import { DomainError } from '../../errors/domain-error.js';
import type { Metrics } from '../../metrics/metrics.js';
import { pathOf } from '../request-context.js';

interface Limits {
  /** Requests under way at once. */
  readonly maxRequests: number;
  /** Whether what has been accepted takes too long already. */
  readonly isLate: () => boolean;
  /** Counts what is refused. */
  readonly metrics: Metrics;
}

/** Seconds: those who are refused together do not come back together. */
const RETRY_AFTER = { from: 1, below: 4 };
/** Asked whether the process lives: a refusal would have it restarted. */
const PROBES = '/health/';

/**
 * Refuses requests beyond what the service can hold, before a guard asks the database and before a body is read. A
 * request is under way until its answer has been taken, so readers who do not read count as well, and the memory of
 * answers is bounded.
 */
export function loadLimit({
  maxRequests,
  isLate,
  metrics,
}: Limits): (request: Request, response: Response, next: NextFunction) => void {
  const refusals = metrics.counter<Record<'reason', 'requests' | 'loop'>>({
    name: 'cms_overloaded_total',
    help: 'Requests that were refused since too many are under way, or the event loop is late.',
    labels: ['reason'],
  });
  let underWay = 0;
  return (request, response, next) => {
    if (pathOf(request.originalUrl).startsWith(PROBES)) {
      next();
      return;
    }
    const isFull = underWay >= maxRequests;
    if (isFull || isLate()) {
      refusals.add({ reason: isFull ? 'requests' : 'loop' });
      next(refusal());
      return;
    }
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    next();
  };
}

function refusal(): DomainError {
  return new DomainError('overloaded', 'The service has more requests than it can answer. Try again in a moment.', {
    headers: { 'Retry-After': String(randomInt(RETRY_AFTER.from, RETRY_AFTER.below)) },
  });
}
