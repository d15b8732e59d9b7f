import type { NextFunction, Request, Response } from 'express';
import { randomInt } from 'node:crypto';
import { Counter, type Registry } from 'prom-client';
import { DomainError } from '../../errors/domain-error.js';
import { credentialKey } from '../../access/caller.js';
import { clientNetwork, pathOf, type ServiceRequest } from '../request-context.js';
import { GATEWAY_HEADERS } from './gateway.js';

/** Seconds: those who are refused together do not come back together. */
const RETRY_AFTER = { from: 1, below: 4 };
/** Asked whether the process lives: a refusal would have it restarted. */
const PROBES = '/health/';
/** The part of all requests under way that one caller may have. */
const SHARE = 1 / 4;
/** So many may be under way while the event loop is late: a process that got no core for a while has less than that. */
const MOST_WHILE_LATE = 32;
/** After so many milliseconds without a request that was let in others should get them. */
const SHUT_MS = 5_000;

type Reason = 'requests' | 'caller' | 'loop';

/** Whom a request under way is counted for. */
interface Occupant {
  key: string;
}

/**
 * Refuses requests beyond what the service can hold, before a guard asks the database and before a body is read.
 * A request is under way until its answer was received: so the memory of answers is bounded. A caller has a quarter of all.
 */
export class LoadLimit {
  private readonly refusals: Counter<'reason'>;
  private readonly occupants = new WeakMap<Request, Occupant>();
  private readonly counts = new Map<string, number>();
  private readonly share: number;
  private underWay = 0;
  private refusingSince: number | null = null;
  private loop: Pick<LoopDelay, 'isLate'> = { isLate: false };

  /** @param maxRequests under way at once @param now milliseconds of a clock that only goes forwards */
  constructor(
    private readonly maxRequests: number,
    registry: Registry,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.share = Math.ceil(maxRequests * SHARE);
    this.refusals = new Counter({
      name: 'cms_overloaded_total',
      help: 'Requests that were refused since too many are under way, of all, of one caller, or for an event loop that is late.',
      labelNames: ['reason'],
      registers: [registry],
    });
  }

  /** True if every request has been refused for some seconds, and the next one would be. */
  get isShut(): boolean {
    return this.fullOf !== null && this.refusingSince !== null && this.now() - this.refusingSince > SHUT_MS;
  }

  /** @param loop says whether what has been accepted takes too long already */
  middleware(loop = this.loop): (request: Request, response: Response, next: NextFunction) => void {
    this.loop = loop;
    return (request, response, next) => {
      next(pathOf(request.originalUrl).startsWith(PROBES) ? undefined : this.enter(request, response));
    };
  }

  /** Counts a request for its caller from now on. @throws {DomainError} `overloaded`: the caller has its share under way */
  claim(request: ServiceRequest): void {
    const occupant = this.occupants.get(request);
    if (!occupant) return;
    if (request.caller) {
      this.add(occupant.key, -1);
      occupant.key = credentialKey(request.caller);
      this.add(occupant.key, 1);
    }
    if ((this.counts.get(occupant.key) ?? 0) > this.share) throw this.refused('caller');
  }

  private enter(request: Request, response: Response): DomainError | undefined {
    const key = clientNetwork(request.ip);
    const { fullOf } = this;
    if (fullOf !== null) {
      this.refusingSince ??= this.now();
      return this.refused(fullOf);
    }
    this.refusingSince = null;
    // A credential counts by itself once it is known to be good: what others do from its address refuses it later.
    const most = showsCredential(request) ? 2 * this.share : this.share;
    if ((this.counts.get(key) ?? 0) >= most) return this.refused('caller');
    const occupant = { key };
    this.occupants.set(request, occupant);
    this.underWay += 1;
    this.add(key, 1);
    response.once('close', () => {
      this.underWay -= 1;
      this.add(occupant.key, -1);
    });
    return undefined;
  }

  /** The reason why no request gets in, of any caller; `null`: there is room. */
  private get fullOf(): Reason | null {
    if (this.underWay >= this.maxRequests) return 'requests';
    return this.underWay >= MOST_WHILE_LATE && this.loop.isLate ? 'loop' : null;
  }

  private add(key: string, change: 1 | -1): void {
    const count = (this.counts.get(key) ?? 0) + change;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }

  private refused(reason: Reason): DomainError {
    this.refusals.inc({ reason });
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

/** The interval at which the loop is looked at, milliseconds. */
const STEP_MS = 20;
/** A step that takes longer, and so is late by more than half a second, is a late one. */
const MOST_MS = 500 + STEP_MS;
/** One or two long steps, such as a large answer, are no overload: so many in five seconds are. */
const LATE_STEPS = 3;
const WITHIN_MS = 5_000;
/** A loop that was in time for so long is in time. */
const CALM_MS = 1_000;

/** Knows whether the event loop is late again and again, as it is where more arrives than can be done. */
export class LoopDelay {
  /** Milliseconds of all steps, of each long one no more than a step may take: steps of seconds are overload as well. */
  private clock = 0;
  /** The times at which the last late steps ended, by that clock. */
  private late: readonly number[] = [];

  /** @param lastStepAt milliseconds of a monotonic clock */
  constructor(private lastStepAt: number) {}

  /** Begins to look at the loop of this process. @returns what ends it */
  static watch(): { readonly delay: LoopDelay; readonly end: () => void } {
    const delay = new LoopDelay(performance.now());
    const timer = setInterval(() => {
      delay.step(performance.now());
    }, STEP_MS).unref();
    const end = (): void => {
      clearInterval(timer);
    };
    return { delay, end };
  }

  get isLate(): boolean {
    const [first = 0, last = 0] = [this.late.at(0), this.late.at(-1)];
    const isOften = this.late.length === LATE_STEPS && this.clock - first <= WITHIN_MS;
    return isOften && this.clock - last < CALM_MS;
  }

  step(nowMs: number): void {
    const ms = nowMs - this.lastStepAt;
    this.lastStepAt = nowMs;
    this.clock += Math.min(ms, MOST_MS);
    if (ms > MOST_MS) this.late = [...this.late, this.clock].slice(-LATE_STEPS);
  }
}
