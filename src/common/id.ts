/** The id that a text stands for; `null` where it can be none, or one that no number holds exactly. */
export function idOf(text: string): number | null {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

/** Greatest id that a restored database goes on from; the search has room up to four times as much. */
export const MAX_ID = 2 ** 38;
