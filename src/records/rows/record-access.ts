import { isAllowed, type Caller, type Scope } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { STATUSES, type CompiledType, type Status } from '../../content-types/definition/content-type.js';

/** Statuses of a type that a caller may see on any route. */
export function visibleStatuses(caller: Caller, { name }: { readonly name: string }): readonly Status[] {
  return isAllowed(caller, 'drafts:read', name) ? STATUSES : ['published'];
}

/** True if a caller may read the records of a type that have a status. */
export function isReadable(caller: Caller, type: { readonly name: string }, status: Status): boolean {
  return isAllowed(caller, 'records:read', type.name) && visibleStatuses(caller, type).includes(status);
}

/** @throws {DomainError} `insufficient_scope`, naming the scope */
export function requireScope(caller: Caller, scope: Scope, type: CompiledType): void {
  if (isAllowed(caller, scope, type.name)) return;
  throw insufficientScope(`This needs the scope ${scope}.`, [scope]);
}

/**
 * A change of a public record is public at once, as is one that makes a record public: both are for those who may publish.
 *
 * @param statuses of the record, before the change and after it
 */
export function requirePublisher(caller: Caller, type: CompiledType, ...statuses: readonly Status[]): void {
  if (statuses.includes('published')) requireScope(caller, 'records:publish', type);
}

/** Changing a record needs the right to change all of them, or to change one's own. */
export function requireUpdate(caller: Caller, type: CompiledType, isOwn: boolean): void {
  if (isOwn && isAllowed(caller, 'records:update_own', type.name)) return;
  requireScope(caller, 'records:update', type);
}
