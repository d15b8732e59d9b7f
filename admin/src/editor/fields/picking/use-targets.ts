import { useQueries } from '@tanstack/react-query';
import type { Reference } from '../../../model.js';
import { MOST_IDS, titlesQuery, type Target } from './picking-queries.js';

/** Titles of records, by type and id; records that the caller may not see are left out. */
export function useTargets(references: readonly Reference[]): ReadonlyMap<string, Target> {
  return useQueries({
    queries: requestsFor(references).map(({ type, ids }) => titlesQuery(type, ids)),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }) => [...(data?.values() ?? [])].map((target) => [keyOf(target), target] as const)),
      ),
  });
}

export function keyOf({ type, id }: Reference): string {
  return `${type} ${id}`;
}

/** As few lists as ask for all of some records. */
function requestsFor(references: readonly Reference[]): { type: string; ids: number[] }[] {
  const types = [...new Set(references.map(({ type }) => type))];
  return types.flatMap((type) => {
    const ids = references.filter((one) => one.type === type).map(({ id }) => id);
    const requests = Math.ceil(ids.length / MOST_IDS);
    return Array.from({ length: requests }, (_, n) => ({ type, ids: ids.slice(n * MOST_IDS, (n + 1) * MOST_IDS) }));
  });
}
