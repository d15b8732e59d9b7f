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
    const readable = (await this.types.all()).filter((type) => canRead(caller, type));
    if (readable.length === 0 && !canRead(caller)) throw forbidden();
    const asked = names === null ? readable : await this.named(names);
    if (!asked.every((type) => canRead(caller, type))) throw forbidden();
    return asked.map((type) => scoped(type, caller, statuses)).filter((scope) => scope.statuses.length > 0);
  }

  /** One after the other, so that a request with many names that there are not looks for one of them. */
  private async named(names: readonly string[]): Promise<CompiledType[]> {
    const found: CompiledType[] = [];
    for (const name of names) {
      if (!isOwnName(name)) throw typeNotFound(name);
      found.push(await this.types.require(name));
    }
    return found;
  }
}

function canRead(caller: Caller, type?: CompiledType): boolean {
  return isAllowed(caller, 'records:read', type?.name);
}

function scoped(type: CompiledType, caller: Caller, wanted: readonly Status[]): ScopedType {
  const visible = visibleStatuses(caller, type);
  return { type, typeId: type.id, statuses: wanted.filter((status) => visible.includes(status)) };
}

function forbidden() {
  return insufficientScope('This needs the scope records:read.', ['records:read']);
}
