import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { perRoute } from '../access/access.decorators.js';
import type { RouteBudget } from './budgets.js';

const RATE_LIMITS = 'rate-limits';

/**
 * Has a route, or all routes of a controller, draw from a budget that it shares with all others that name it.
 * A handler's budgets take the place of its controller's; `auth` comes on top of both under `/api/auth`, but not of `lockDown`.
 */
export const RateLimit = (...budgets: [RouteBudget, ...RouteBudget[]]): CustomDecorator =>
  SetMetadata(RATE_LIMITS, budgets);

/** Routes that leave it to their handlers to draw from `auth`. */
export const LATER = 'rate-limits:later';

const reflector = new Reflector();

/** What every request of a route draws from. */
export const routeBudgets = perRoute((handler, controller): readonly RouteBudget[] => {
  const named =
    reflector.getAllAndOverride<readonly RouteBudget[] | undefined>(RATE_LIMITS, [handler, controller]) ?? [];
  const isApart = named.includes('lockDown') || reflector.get<unknown>(LATER, handler) === true;
  const isOfAuth = isAuthRoute(reflector.get<unknown>(PATH_METADATA, controller));
  return isOfAuth && !isApart ? ['auth', ...named] : named;
});

/** By the path of the controller, so that no route of signing in can be forgotten. */
function isAuthRoute(path: unknown): boolean {
  return [path].flat().some((one) => typeof one === 'string' && /^\/?api\/auth(?:\/|$)/.test(one));
}
