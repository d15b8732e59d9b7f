/** The part of a history that is shown: it stands in the address. */
export interface HistorySearch {
  /** `ts` of a revision, or what is written and not public yet; absent: the newest. */
  readonly at?: number | 'draft';
  /** The other revision: a `ts`, the one before, or the present state. */
  readonly against?: string;
}

/** Reads what stands in an address. What makes no sense there is as good as left out. */
export function historySearch({ at, against }: Readonly<Record<string, unknown>>): HistorySearch {
  const isAgainst = against === 'current' || (isTime(against) && Number(against) > 0);
  return {
    ...(at === 'draft' || isTime(at) ? { at: at === 'draft' ? at : Number(at) } : {}),
    ...(isAgainst ? { against: String(against) } : {}),
  };
}

function isTime(value: unknown): boolean {
  return (typeof value === 'number' || typeof value === 'string') && /^\d{1,16}$/.test(String(value));
}
