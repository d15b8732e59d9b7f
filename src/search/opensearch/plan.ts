/** An index of OpenSearch that this program made: `cms-3`. */
export interface Generation {
  readonly name: string;
  readonly number: number;
  /** The identity of the database whose documents it has; `null`: it does not say. */
  readonly database: string | null;
  /** Whether the alias that is searched points to it. */
  readonly isServing: boolean;
  /** Whether a later release has made it, which is to feed it: this one leaves it as it is. */
  readonly isNewer: boolean;
  /** Whether this version of the program writes into it. */
  readonly isCurrent: boolean;
  /** Whether this version of the program can search it, for its database. */
  readonly isSearchable: boolean;
  /** The alias by which it is written. */
  readonly feedAlias: string;
}

/** The indexes that there are, by what is to be done with them. */
export interface Plan {
  readonly serving: Generation | null;
  /** One that is being built to take its place. */
  readonly building: Generation | null;
  /** Former indexes, and builds that were given up: to be removed. */
  readonly leftOver: readonly Generation[];
  /** One of another database, which has the name: this one must not feed. */
  readonly foreign: Generation | null;
}

/**
 * What is to be done with indexes. The name belongs to the database of the one that is searched, or else of the first
 * one: of two databases that begin together one goes on.
 *
 * @param all in the order of their numbers
 * @param database the identity of the one that plans
 */
export function planOf(all: readonly Generation[], database: string): Plan {
  const isOwn = (one: Generation): boolean => one.database === null || one.database === database;
  const holder = all.find(({ isServing }) => isServing) ?? all[0];
  const own = all.filter(isOwn);
  if (holder && !isOwn(holder)) {
    const leftOver = own.filter((one) => one.database !== null && !one.isNewer);
    return { serving: null, building: null, leftOver, foreign: holder };
  }
  const serving = own.filter(({ isServing }) => isServing).at(-1) ?? null;
  const building = own.filter(({ isCurrent, number }) => isCurrent && number > (serving?.number ?? 0)).at(-1) ?? null;
  const leftOver = own.filter((one) => one !== serving && one !== building && !one.isNewer);
  return { serving, building, leftOver, foreign: null };
}
