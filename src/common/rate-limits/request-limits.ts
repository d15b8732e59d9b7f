import { Injectable, type ExecutionContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import { THROTTLER_LIMIT } from '@nestjs/throttler/dist/throttler.constants.js';
import type { Response } from 'express';
import { perRoute } from '../access/access.decorators.js';
import { callerKey, credentialKey } from '../access/caller.js';
import { LoadLimit } from '../http/arriving/load-limit.js';
import { clientNetwork, clientNetworks, type ServiceRequest } from '../http/request-context.js';
import type { Budget, Budgets } from './budgets.js';
import { forNetworks, headersOf, KeyedLimits, tightest, windowName } from './keyed-limits.js';
import type { LimitStorage, LimitWindow } from './limit-storage.js';

type Tracked = Partial<Pick<ServiceRequest, 'ip' | 'caller' | 'devices'>>;

/** Rules that single budgets have; all others are by session or token, or else by address, and stand in headers. */
const PECULIAR: Readonly<Partial<Record<Budget, Partial<ThrottlerOptions>>>> = {
  users: { getTracker: ({ caller, ip }: Tracked) => (caller ? callerKey(caller) : clientNetwork(ip)) },
  badTokens: { setHeaders: false },
};

/** The budgets as throttlers, one for each limit. Requests without a good credential cost those with one nothing. */
export function throttling(budgets: Budgets, storage: LimitStorage): ThrottlerModuleOptions {
  return {
    storage,
    throttlers: Object.entries(budgets).flatMap(([budget, limits]) => throttlersOf(budget as Budget, limits)),
    // All devices of a user together: each sign-in makes one more, and they are not to be more and more tries.
    getTracker: ({ caller, devices, ip }: Tracked) =>
      caller ? credentialKey(caller) : devices === undefined ? clientNetwork(ip) : `devices:${devices}`,
    generateKey: (_, tracker) => tracker,
  };
}

function throttlersOf(budget: Budget, limits: Budgets[Budget]): ThrottlerOptions[] {
  return limits.map(({ requests, within }, at) => ({
    name: windowName(budget, within, at),
    limit: requests,
    ttl: within,
    // A limit that is off is passed over and not left out: without any throttler the library takes us for careless.
    skipIf: (context) => requests === 0 || !budgetsOf(context).has(budget),
    ...PECULIAR[budget],
  }));
}

/** Budgets that a route draws from: those that `@Throttle` names, and under `/api/auth` from `auth` as well. */
const routeBudgets = perRoute((handler, controller): ReadonlySet<string> => {
  const keys = [handler, controller].flatMap((place) => Reflect.getMetadataKeys(place) as unknown[]).map(String);
  const named = keys.filter((key) => key.startsWith(THROTTLER_LIMIT)).map((key) => key.slice(THROTTLER_LIMIT.length));
  return new Set(isAuthRoute(Reflect.getMetadata(PATH_METADATA, controller)) ? ['auth', ...named] : named);
});

function budgetsOf(context: ExecutionContext): ReadonlySet<string> {
  const { hasBadToken } = context.switchToHttp().getRequest<ServiceRequest>();
  const budgets = routeBudgets(context);
  return hasBadToken ? new Set(['badTokens', ...budgets]) : budgets;
}

function isAuthRoute(path: unknown): boolean {
  return [path].flat().some((one) => typeof one === 'string' && /^\/?api\/auth(?:\/|$)/.test(one));
}

interface Asked extends LimitWindow {
  /** True if headers say what is left there. */
  readonly isShown: boolean;
}

/** The guard of the library. It counts a request in all its windows or in none, and shows headers of the tightest one. */
@Injectable()
export class RequestLimits extends ThrottlerGuard {
  private readonly asked = new WeakMap<ExecutionContext, Asked[]>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: LimitStorage,
    reflector: Reflector,
    private readonly limits: KeyedLimits,
    private readonly load: LoadLimit,
  ) {
    super(options, storage, reflector);
  }

  /** @throws {DomainError} `too_many_requests`; `overloaded`: the caller has its share under way */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    this.load.claim(request);
    if (routeBudgets(context).size === 0 && !request.hasBadToken) return true;
    const asked: Asked[] = [];
    this.asked.set(context, asked);
    await super.canActivate(context);
    if (asked.length === 0) return true;
    const draws = await this.limits.draw(asked);
    const left = tightest(draws.filter(({ isShown }) => isShown));
    if (left)
      context
        .switchToHttp()
        .getResponse<Response>()
        .setHeaders(new Map(Object.entries(headersOf(left))));
    return true;
  }

  /** Notes the window of a throttler; for a client of version 6 those of its wider networks as well. */
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl: within, throttler, getTracker } = request;
    const { req } = this.getRequestResponse(context);
    const tracker = await getTracker(req, context);
    const { ip } = req as { readonly ip?: string };
    const networks = tracker === clientNetwork(ip) ? clientNetworks(ip) : [{ key: tracker, factor: 1 }];
    const window = { window: throttler.name ?? '', limit, within, isShown: throttler.setHeaders !== false };
    this.asked.get(context)?.push(...forNetworks(window, networks));
    return true;
  }
}
