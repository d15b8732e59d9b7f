import type { NextFunction, Request, Response } from 'express';
import { randomInt } from 'node:crypto';
import { DomainError } from '../../errors/domain-error.js';
import type { Counter, Metrics } from '../../metrics/metrics.js';
import { credentialKey } from '../../access/caller.js';
import { clientNetwork, pathOf, type ServiceRequest } from '../request-context.js';
import { GATEWAY_HEADERS } from './gateway.js';

/** Seconds: those who are refused together do not come back together. */
const RETRY_AFTER = { from: 1, below: 4 };
/** Asked whether the process lives: a refusal would have it restarted. */
const PROBES = '/health/';
/** The part of all requests under way that one caller may have. */
const SHARE = 1 / 4;
/** After so many milliseconds without a request that was let in others should get them. */
const SHUT_MS = 5_000;

type Reason = 'requests' | 'caller' | 'loop';

/** Whom a request under way is counted for. */
interface Place {
  key: string;
}

/**
 * Refuses requests beyond what the service can hold, before a guard asks the database and before a body is read. A
 * request is under way until its answer has been taken, so readers who do not read count as well, and the memory of
 * answers is bounded. A caller has a quarter of all places: a session or a token, or an address where there is none.
 */
export class LoadLimit {
  private readonly refusals: Counter<Record<'reason', Reason>>;
  private readonly places = new WeakMap<Request, Place>();
  private readonly counts = new Map<string, number>();
  private readonly share: number;
  private underWay = 0;
  private refusingSince: number | null = null;
  private isLate = (): boolean => false;

  /**
   * @param maxRequests under way at once
   * @param now milliseconds of a clock that only goes forwards
   */
  constructor(
    private readonly maxRequests: number,
    metrics: Metrics,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.share = Math.ceil(maxRequests * SHARE);
    this.refusals = metrics.counter({
      name: 'cms_overloaded_total',
      help: 'Requests that were refused since too many are under way, of all or of one caller, or the event loop is late.',
      labels: ['reason'],
    });
  }

  /** Whether every request has been refused for some seconds, and the next one would be. */
  get isShut(): boolean {
    const isRefusing = this.underWay >= this.maxRequests || this.isLate();
    return isRefusing && this.refusingSince !== null && this.now() - this.refusingSince > SHUT_MS;
  }

  /** @param isLate whether what has been accepted takes too long already */
  middleware(isLate: () => boolean): (request: Request, response: Response, next: NextFunction) => void {
    this.isLate = isLate;
    return (request, response, next) => {
      next(pathOf(request.originalUrl).startsWith(PROBES) ? undefined : this.enter(request, response));
    };
  }

  /**
   * Counts a request for its caller from now on; without one it stays with its address.
   *
   * @throws {DomainError} `overloaded`: these have their share under way
   */
  claim(request: ServiceRequest): void {
    const place = this.places.get(request);
    if (!place) return;
    if (request.caller) {
      this.add(place.key, -1);
      place.key = credentialKey(request.caller);
      this.add(place.key, 1);
    }
    if ((this.counts.get(place.key) ?? 0) > this.share) throw this.refused('caller');
  }

  private enter(request: Request, response: Response): DomainError | undefined {
    const key = clientNetwork(request.ip);
    const isFull = this.underWay >= this.maxRequests;
    if (isFull || this.isLate()) {
      this.refusingSince ??= this.now();
      return this.refused(isFull ? 'requests' : 'loop');
    }
    this.refusingSince = null;
    // A credential counts by itself once it is known to be good: what others do from its address refuses it later.
    const most = showsCredential(request) ? 2 * this.share : this.share;
    if ((this.counts.get(key) ?? 0) >= most) return this.refused('caller');
    const place = { key };
    this.places.set(request, place);
    this.underWay += 1;
    this.add(key, 1);
    response.once('close', () => {
      this.underWay -= 1;
      this.add(place.key, -1);
    });
    return undefined;
  }

  private add(key: string, change: 1 | -1): void {
    const count = (this.counts.get(key) ?? 0) + change;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }

  private refused(reason: Reason): DomainError {
    this.refusals.add({ reason });
    const whose =
      reason === 'caller'
        ? 'You have more requests under way than one caller may'
        : 'The service has more requests than it can answer';
    return new DomainError('overloaded', `${whose}. Try again in a moment.`, {
      headers: { 'Retry-After': String(randomInt(RETRY_AFTER.from, RETRY_AFTER.below)) },
    });
  }
}

function showsCredential({ headers }: Request): boolean {
  return headers.authorization !== undefined || headers[GATEWAY_HEADERS.secret] !== undefined;
}

/** A step that comes so many milliseconds after the one before it is in time. */
const STEP_MS = 20;
const SECOND_MS = 1_000;
const SECONDS = 5;
/** One or two long steps, such as a large answer, are no overload. */
const LEAST_LATE_STEPS = 3;
const LATE_PART = 0.01;

/** How many steps the loop made in a second, and how many of them were late. */
interface Second {
  readonly steps: number;
  readonly lateSteps: number;
}

/** Knows whether the event loop is late again and again, as it is where more arrives than can be done. */
export class LoopDelay {
  private seconds: readonly Second[] = [];
  private current: Second = { steps: 0, lateSteps: 0 };
  private currentSince: number;
  isLate = false;

  /**
   * @param limitMs of the 99th percentile of the delays
   * @param lastStepAt milliseconds of a monotonic clock
   */
  constructor(
    private readonly limitMs: number,
    private lastStepAt: number,
  ) {
    this.currentSince = lastStepAt;
  }

  /** Begins to look at the loop of this process. @returns what ends it */
  static watch(limitMs: number): { readonly isLate: () => boolean; readonly end: () => void } {
    if (limitMs === 0) return { isLate: () => false, end: () => undefined };
    const delay = new LoopDelay(limitMs, performance.now());
    const timer = setInterval(() => {
      delay.step(performance.now());
    }, STEP_MS).unref();
    const end = (): void => {
      clearInterval(timer);
    };
    return { isLate: () => delay.isLate, end };
  }

  /** Takes a step of the loop into account: the first one after each second judges the last five. */
  step(nowMs: number): void {
    const isLate = nowMs - this.lastStepAt - STEP_MS > this.limitMs;
    const { steps, lateSteps } = this.current;
    this.current = { steps: steps + 1, lateSteps: lateSteps + (isLate ? 1 : 0) };
    this.lastStepAt = nowMs;
    if (nowMs - this.currentSince < SECOND_MS) return;
    this.judge();
    this.current = { steps: 0, lateSteps: 0 };
    this.currentSince = nowMs;
  }

  /** After a second in time a late loop has five seconds again: what was refused is not there to make it late. */
  private judge(): void {
    const isInTimeAgain = this.isLate && this.current.lateSteps === 0;
    this.seconds = isInTimeAgain ? [] : [...this.seconds, this.current].slice(-SECONDS);
    const lateSteps = total(this.seconds, 'lateSteps');
    this.isLate =
      this.seconds.length === SECONDS &&
      lateSteps >= LEAST_LATE_STEPS &&
      lateSteps > LATE_PART * total(this.seconds, 'steps');
  }
}

function total(seconds: readonly Second[], what: keyof Second): number {
  return seconds.reduce((sum, second) => sum + second[what], 0);
}
