import type { ExecutionContext } from '@nestjs/common';
import type { ThrottlerModuleOptions, ThrottlerOptions, ThrottlerStorage } from '@nestjs/throttler';
import type { Caller } from '../access/caller.js';
import { clientNetwork } from '../http/client-address.js';
import type { ServiceRequest } from '../http/request-context.js';
import type { Budget, Budgets } from './budgets.js';
import { routeBudgets } from './rate-limit.decorator.js';

type Tracked = Partial<Pick<ServiceRequest, 'ip' | 'caller'>>;

/** What budgets have of their own; all others are by address, and told in headers. */
const PECULIAR: Readonly<Partial<Record<Budget, Partial<ThrottlerOptions>>>> = {
  users: { getTracker: ({ caller, ip }: Tracked) => (caller ? callerKey(caller) : clientNetwork(ip)) },
  badTokens: { setHeaders: false },
};

/** The budgets as throttlers, one for each limit. They count by client, whatever route it asks for. */
export function throttling(budgets: Budgets, storage: ThrottlerStorage): ThrottlerModuleOptions {
  return {
    storage,
    throttlers: Object.entries(budgets).flatMap(([name, limits]) => throttlersOf(name as Budget, limits)),
    getTracker: ({ ip }: Tracked) => clientNetwork(ip),
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
    name: `${budget}-${within}`,
    limit: requests,
    ttl: within,
    // A limit that is off is passed over and not left out: without any throttler the library takes us for careless.
    skipIf: (context) => requests === 0 || !budgetsOf(context).includes(budget),
    ...PECULIAR[budget],
  }));
}

function callerKey({ kind, id, name }: Caller): string {
  return `${kind}:${id ?? `configured:${name}`}`;
}
