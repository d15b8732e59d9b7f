import { Controller, Logger, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Throttle } from '@nestjs/throttler';
import { Registry } from 'prom-client';
import { DomainError } from '../errors/domain-error.js';
import { budget, type Quota, type Budgets, type RouteBudget } from './budgets.js';
import { KeyedLimits } from './keyed-limits.js';
import { RequestLimits, throttling } from './request-limits.js';
import { LoadLimit } from '../http/arriving/load-limit.js';
import { MemoryStorage } from './memory-storage.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const OFF: readonly Quota[] = [{ requests: 0, within: MINUTE }];
const ALL_OFF: Budgets = {
  auth: OFF,
  login: OFF,
  send: OFF,
  verify: OFF,
  users: OFF,
  refresh: OFF,
  badTokens: OFF,
  tokenSearches: OFF,
  lockDown: OFF,
};

const [A, B] = ['192.0.2.1', '192.0.2.2'];

@Controller('routes')
class Routes {}

/** Tells of a request that was let through: how many are left, by the headers of the answer. */
type Left = Readonly<Record<string, string>>;

describe('RequestLimits', () => {
  let now: number;

  beforeEach(() => (now = 5_000));

  async function limitsOf(budgets: Partial<Budgets>): Promise<RequestLimits> {
    const storage = new MemoryStorage(() => now);
    const all = { ...ALL_OFF, ...budgets };
    const limits = new RequestLimits(
      throttling(all, storage),
      storage,
      new Reflector(),
      new KeyedLimits(all, storage, new Registry()),
      new LoadLimit(512, new Registry()),
    );
    await limits.onModuleInit();
    return limits;
  }

  /** A request of a route with these budgets. */
  async function take(limits: RequestLimits, budgets: [RouteBudget, ...RouteBudget[]], ip = A): Promise<Left> {
    const headers = new Map<string, string>();
    const setHeaders = (shown: ReadonlyMap<string, string>) => {
      shown.forEach((text, name) => headers.set(name, text));
    };
    const handler = () => undefined;
    for (const name of budgets) Throttle(budget(name))(Routes.prototype, 'route', { value: handler });
    await limits.canActivate({
      getHandler: () => handler,
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => ({ ip }), getResponse: () => ({ setHeaders }) }),
    } as unknown as ExecutionContext);
    return Object.fromEntries(headers);
  }

  /** Seconds to wait, or 0 where the request is let through. */
  async function waitOf(limits: RequestLimits, budget: RouteBudget, ip = A): Promise<number> {
    try {
      await take(limits, [budget], ip);
      return 0;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect(error.headers?.['Retry-After']).toBe(String(error.extensions?.retry_after));
      return Number(error.extensions?.retry_after);
    }
  }

  it('lets as many requests through as are allowed and refuses the next, each key by itself', async () => {
    const limits = await limitsOf({ login: [{ requests: 3, within: MINUTE }] });

    const waits: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) waits.push(await waitOf(limits, 'login'));

    expect(waits).toEqual([0, 0, 0, 60]);
    expect(await waitOf(limits, 'login', B)).toBe(0);
  });

  it('keeps its word about the time to wait, to the second', async () => {
    const limits = await limitsOf({ login: [{ requests: 2, within: MINUTE }] });
    await waitOf(limits, 'login');
    now += 20 * SECOND;
    await waitOf(limits, 'login');
    now += 500;

    const seconds = await waitOf(limits, 'login');
    expect(seconds).toBe(40);
    now += (seconds - 1) * SECOND;
    expect(await waitOf(limits, 'login')).toBe(1);
    now += SECOND;
    expect(await waitOf(limits, 'login')).toBe(0);
    expect(await waitOf(limits, 'login')).toBe(20);
  });

  it('never lets more through than are allowed within any minute', async () => {
    const limits = await limitsOf({ login: [{ requests: 5, within: MINUTE }] });
    const passed: number[] = [];

    for (; now < 5 * MINUTE; now += 700) if ((await waitOf(limits, 'login')) === 0) passed.push(now);

    for (const start of passed) {
      expect(passed.filter((time) => time >= start && time < start + MINUTE).length).toBeLessThanOrEqual(5);
    }
    expect(passed.length).toBeGreaterThanOrEqual(24);
  });

  it('prolongs no wait because a client keeps trying', async () => {
    const limits = await limitsOf({
      send: [
        { requests: 5, within: MINUTE },
        { requests: 6, within: HOUR },
      ],
    });
    const passed: number[] = [];

    for (const end = now + HOUR; now < end; now += 5 * SECOND)
      if ((await waitOf(limits, 'send')) === 0) passed.push(now);

    expect(passed.length).toBe(6);
    expect(await waitOf(limits, 'send')).toBe(0);
  });

  it('answers how long the one of two limits lasts that holds for longer', async () => {
    const limits = await limitsOf({
      send: [
        { requests: 5, within: MINUTE },
        { requests: 5, within: HOUR },
      ],
    });

    for (let sent = 0; sent < 5; sent += 1) await waitOf(limits, 'send');

    expect(await waitOf(limits, 'send')).toBe(3_600);
  });

  it('counts a request in all of its budgets or in none', async () => {
    const limits = await limitsOf({
      auth: [{ requests: 3, within: MINUTE }],
      login: [{ requests: 1, within: MINUTE }],
    });
    const both = () => take(limits, ['auth', 'login']);

    expect(await both()).toMatchObject({ 'RateLimit-Limit': '1', 'RateLimit-Remaining': '0' });
    await expect(both()).rejects.toThrow(DomainError);
    await expect(both()).rejects.toThrow(DomainError);

    expect(await waitOf(limits, 'auth')).toBe(0);
    expect(await waitOf(limits, 'auth')).toBe(0);
    expect(await waitOf(limits, 'auth')).toBe(60);
  });

  it('limits nothing where the limit is 0', async () => {
    const limits = await limitsOf({ send: [{ requests: 1, within: MINUTE }] });

    expect(await take(limits, ['login'])).toEqual({});
    for (let sent = 0; sent < 1_000; sent += 1) expect(await waitOf(limits, 'login')).toBe(0);
  });

  it('warns of nothing where all limits are off: that was wanted', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();

    const limits = await limitsOf({});

    expect(await take(limits, ['login'])).toEqual({});
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
