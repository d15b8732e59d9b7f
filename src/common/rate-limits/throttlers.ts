import type { ExecutionContext } from '@nestjs/common';
import type { ThrottlerModuleOptions, ThrottlerOptions, ThrottlerStorage } from '@nestjs/throttler';
import { callerKey, credentialKey } from '../access/caller.js';
import { clientNetwork } from '../http/client-address.js';
import type { ServiceRequest } from '../http/request-context.js';
import type { Budget, Budgets } from './budgets.js';
import { routeBudgets } from './rate-limit.decorator.js';

type Tracked = Partial<Pick<ServiceRequest, 'ip' | 'caller' | 'devices'>>;

/** What budgets have of their own; all others are by session or token, or else by address, and stand in headers. */
const PECULIAR: Readonly<Partial<Record<Budget, Partial<ThrottlerOptions>>>> = {
  users: { getTracker: ({ caller, ip }: Tracked) => (caller ? callerKey(caller) : clientNetwork(ip)) },
  badTokens: { setHeaders: false },
};

/** What the library calls the window of a throttler for keys that may use a multiple of its limit. */
export function windowName(throttler: string, factor: number): string {
  return factor === 1 ? throttler : `${throttler}*${factor}`;
}

/** The throttler of a limit of a budget: `login-60000`. */
export function throttlerName(budget: Budget, within: number): string {
  return `${budget}-${within}`;
}

/** The budget of a window: `login-60000*4` -> `login`. */
export function budgetOf(window: string): Budget {
  // All windows are named by `throttlerName`.
  return window.slice(0, window.indexOf('-')) as Budget;
}

/**
 * The budgets as throttlers, one for each limit. They count by client, whatever route it asks for: what requests without
 * a good credential do from an address costs those with one nothing, nor those from a known device.
 */
export function throttling(budgets: Budgets, storage: ThrottlerStorage): ThrottlerModuleOptions {
  return {
    storage,
    throttlers: Object.entries(budgets).flatMap(([name, limits]) => throttlersOf(name as Budget, limits)),
    getTracker: ({ caller, devices, ip }: Tracked) =>
      caller ? credentialKey(caller) : devices === undefined ? clientNetwork(ip) : deviceKey(devices),
    generateKey: (_, tracker) => tracker,
  };
}

/** What a request draws from. */
export function budgetsOf(context: ExecutionContext): readonly Budget[] {
  const budgets = routeBudgets(context);
  const { hasBadToken } = context.switchToHttp().getRequest<ServiceRequest>();
  return hasBadToken ? ['badTokens', ...budgets] : budgets;
}

function throttlersOf(budget: Budget, limits: Budgets[Budget]): ThrottlerOptions[] {
  return limits.map(({ requests, within }) => ({
    name: throttlerName(budget, within),
    limit: requests,
    ttl: within,
    // A limit that is off is passed over and not left out: without any throttler the library takes us for careless.
    skipIf: (context) => requests === 0 || !budgetsOf(context).includes(budget),
    ...PECULIAR[budget],
  }));
}

/** All devices of a user: each sign-in makes one more of them, and they are not to be more and more tries. */
function deviceKey(devices: string): string {
  return `devices:${devices}`;
}
