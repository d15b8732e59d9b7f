/** What retention has to know of a revision. */
export interface Kept {
  readonly ts: number;
  readonly baseTs: number | null;
  readonly status: string;
}

/**
 * The revisions that a history of `keep` can do without. The newest one and the last published one always stay,
 * and so does the keyframe of every one that stays, however old it is.
 *
 * @param history in any order
 */
export function expired(history: readonly Kept[], keep: number): number[] {
  const newestFirst = history.toSorted((a, b) => b.ts - a.ts);
  const published = newestFirst.find(({ status }) => status === 'published');
  const stays = newestFirst.filter((one, index) => index < Math.max(1, keep) || one === published);
  const needed = new Set(stays.flatMap(({ ts, baseTs }) => (baseTs === null ? [ts] : [ts, baseTs])));
  return newestFirst.filter(({ ts }) => !needed.has(ts)).map(({ ts }) => ts);
}
