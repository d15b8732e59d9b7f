/** So many requests within so much time. */
export interface Allowed {
  /** 0: as many as one likes. */
  readonly requests: number;
  /** Milliseconds. */
  readonly within: number;
}

/** What routes draw from. All routes that name a budget share it. */
export type RouteBudget =
  /** Everything under `/api/auth`, which draws from it without naming it. By address. */
  | 'auth'
  /** Passwords. By address. */
  | 'login'
  /** Whatever sends mail. By address. */
  | 'send'
  /** Codes, links and tokens that came by mail. By address. */
  | 'verify'
  /** The accounts of users. By caller, wherever they are; by address, as long as nobody has proved who they are. */
  | 'users';

/** What a service draws from, by a key of its own. */
type KeyedBudget =
  /** By session. */
  | 'refresh'
  /** Bearer tokens that are nobody's. By address. */
  | 'badTokens';

export type Budget = RouteBudget | KeyedBudget;

/** A budget has one limit, or several that hold together. */
export type Budgets = Readonly<Record<Budget, readonly Allowed[]>>;
