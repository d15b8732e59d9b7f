import { missingScopes, type Scope } from '../../common/access/caller.js';
import { ROLES, type Role } from '../../common/access/role-names.js';

export { ROLES, type Role };

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

/** True if a user of one role may do more with the other. */
export function isGrowth(before: Role, after: Role): boolean {
  return missingScopes({ scopes: new Set(scopesOf(before)) }, scopesOf(after)).length > 0;
}
