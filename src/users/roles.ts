import type { Scope } from '../common/access/caller.js';

/** Named bundles of scopes, from the least to the most powerful. */
export const ROLES = ['viewer', 'author', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const DEFAULT_ROLE: Role = 'viewer';

const VIEWER: readonly Scope[] = ['records:read'];
/** Writes drafts. Once one of them is published it is public, and changed by those who may publish. */
const AUTHOR: readonly Scope[] = [...VIEWER, 'records:create', 'records:update_own', 'drafts:read', 'revisions:read'];
const EDITOR: readonly Scope[] = [...AUTHOR, 'records:update', 'records:publish', 'records:delete', 'taxonomy:write'];

const BUNDLES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: VIEWER,
  author: AUTHOR,
  editor: EDITOR,
  admin: ['*'],
};

/** Everything that a user of this role may do. */
export function scopesOf(role: Role): readonly Scope[] {
  return BUNDLES[role];
}
