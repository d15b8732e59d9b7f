/** Named bundles of scopes, from the least to the most powerful. */
export const ROLES = ['viewer', 'author', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];
