import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { isOwnName } from '../../common/text/names.js';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { ContentTypesService, typeNotFound } from '../../content-types/store/content-types.service.js';
import { visibleStatuses } from '../../records/rows/record-access.js';
import type { SearchedType } from '../search-index.js';
import type { SearchParameters } from './search-query.js';

/** One type in which a caller searches. */
export interface ScopedType extends SearchedType {
  readonly type: CompiledType;
}

/** Determines the types and statuses that a search of a caller covers. */
@Injectable()
export class SearchScope {
  constructor(private readonly types: ContentTypesService) {}

  /**
   * Without asked types all those that the caller may read; asked ones have to be readable.
   *
   * @throws {DomainError} `type_not_found`, `insufficient_scope`
   */
  async of(
    caller: Caller,
    { types: names, statuses }: Pick<SearchParameters, 'types' | 'statuses'>,
  ): Promise<ScopedType[]> {
    const all = await this.types.all();
    const readable = all.filter((type) => isAllowed(caller, 'records:read', type.name));
    if (readable.length === 0 && !isAllowed(caller, 'records:read')) throw forbidden();
    const asked = names === null ? readable : names.map((name) => named(all, name));
    if (!asked.every((type) => readable.includes(type))) throw forbidden();
    return asked.map((type) => scoped(type, caller, statuses)).filter((scope) => scope.statuses.length > 0);
  }
}

function named(all: readonly CompiledType[], name: string): CompiledType {
  const type = isOwnName(name) ? all.find((one) => one.name === name) : undefined;
  if (!type) throw typeNotFound(name);
  return type;
}

function scoped(type: CompiledType, caller: Caller, wanted: readonly Status[]): ScopedType {
  const visible = visibleStatuses(caller, type);
  return { type, typeId: type.id, statuses: wanted.filter((status) => visible.includes(status)) };
}

function forbidden() {
  return insufficientScope('This needs the scope records:read.', ['records:read']);
}
