import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';

/** Groups after those of each content type, in the order in which newcomers need them; others stand at the end. */
const GROUPS = ['Search', 'Content types', 'Taxonomy', 'Sign-in', 'API tokens', 'Users', 'Audit', 'Documentation'];

/** Fragments by the first group that each of them brings. */
export function inReadingOrder(fragments: readonly OpenApiFragment[]): OpenApiFragment[] {
  return fragments.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ tags: [tag] = [] }: OpenApiFragment): number {
  const rank = tag === undefined ? -1 : GROUPS.indexOf(tag.name);
  return rank < 0 ? GROUPS.length : rank;
}
