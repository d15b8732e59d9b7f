/** So many requests within so much time. */
export interface Quota {
  /** 0: as many as one likes. */
  readonly requests: number;
  /** Milliseconds. */
  readonly within: number;
}

/** A budget that routes draw from. All routes that name a budget share it. */
export type RouteBudget =
  /** Everything under `/api/auth`, which draws from it without naming it. By session or token, or by known device, or by address. */
  | 'auth'
  /** Passwords. By known device, or by address. */
  | 'login'
  /** Whatever sends mail. By known device, or by address. */
  | 'send'
  /** Codes, links and tokens that came by mail. By known device, or by address. */
  | 'verify'
  /** Links that lock an account down, which draw from this alone: what else comes from an address leaves them open. */
  | 'lockDown'
  /** The accounts of users. By caller, wherever they are; by address, as long as there is no caller. */
  | 'users';

/** A budget that a service draws from, by a key of its own. */
type KeyedBudget =
  /** By session. */
  | 'refresh'
  /** Bearer tokens of no caller. By address. */
  | 'badTokens'
  /** Tokens that were not good before and are still looked up once `badTokens` is spent. By address. */
  | 'tokenSearches';

export type Budget = RouteBudget | KeyedBudget;

/** A budget has one limit, or several that hold together. */
export type Budgets = Readonly<Record<Budget, readonly Quota[]>>;

/** The throttlers of a route or controller: `@Throttle(budget('login'))`. Routes under `/api/auth` draw from `auth` as well. */
export function budget(name: RouteBudget): Readonly<Record<string, object>> {
  return { [name]: {} };
}
