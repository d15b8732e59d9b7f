/** More callers than so many at once are summed up together. */
const MAX_CALLERS = 1_000;
const MAX_ROUTES = 10;

/** Refusals of one caller, or of all callers beyond the limit. */
export interface RefusalSum<Caller> {
  /** As of the last refusal. */
  readonly caller: Caller;
  readonly requests: number;
  /** The first ten patterns: `GET /api/users/:id`. */
  readonly routes: readonly string[];
}

interface Count<Caller> {
  caller: Caller;
  requests: number;
  readonly routes: Set<string>;
}

/** Counts refusals by caller, in bounded memory. */
export class RefusalSums<Caller> {
  private readonly counts = new Map<string, Count<Caller>>();
  private others: Count<Caller>;

  /** @param others stands for all callers beyond the limit */
  constructor(others: Caller) {
    this.others = emptyCount(others);
  }

  /** @returns whether it is the first one of that caller, which is not counted */
  add(key: string, caller: Caller, route: string): boolean {
    const known = this.counts.get(key);
    if (!known && this.counts.size < MAX_CALLERS) {
      this.counts.set(key, emptyCount(caller));
      return true;
    }
    if (known) known.caller = caller;
    count(known ?? this.others, route);
    return false;
  }

  /** What was counted since this was last asked. A caller without any refusal since then is forgotten. */
  take(): RefusalSum<Caller>[] {
    const sums: RefusalSum<Caller>[] = [];
    for (const [key, { caller, requests, routes }] of this.counts) {
      if (requests === 0) this.counts.delete(key);
      else {
        sums.push({ caller, requests, routes: [...routes] });
        this.counts.set(key, emptyCount(caller));
      }
    }
    const { others } = this;
    this.others = emptyCount(others.caller);
    return others.requests === 0 ? sums : [...sums, { ...others, routes: [...others.routes] }];
  }
}

function emptyCount<Caller>(caller: Caller): Count<Caller> {
  return { caller, requests: 0, routes: new Set() };
}

function count(sum: Pick<Count<unknown>, 'requests' | 'routes'>, route: string): void {
  sum.requests += 1;
  if (sum.routes.size < MAX_ROUTES) sum.routes.add(route);
}
