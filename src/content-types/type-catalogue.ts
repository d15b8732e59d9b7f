import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../common/access/caller.js';
import { wholeList, type Envelope, type ListEnvelope } from '../common/envelope.js';
import { STATUSES, type CompiledType, type Status } from './definition/content-type.js';
import { ContentTypesService } from './store/content-types.service.js';
import { typeView, type Counts, type TypeView } from './definition/type-view.js';
import { TypeUsageHost } from './store/type-usage.port.js';

type AllCounts = ReadonlyMap<string, number>;

/** The content types as callers see them, with the numbers of their records. */
@Injectable()
export class TypeCatalogue {
  constructor(
    private readonly types: ContentTypesService,
    private readonly host: TypeUsageHost,
  ) {}

  /** All types by name, with the counts that the caller may know. */
  async list(caller: Caller): Promise<ListEnvelope<TypeView>> {
    const [types, counts] = await Promise.all([this.types.all(), this.counts()]);
    return wholeList(types.map((type) => typeView(type, visible(counts, type, caller))));
  }

  async one(type: CompiledType, caller: Caller): Promise<Envelope<TypeView>> {
    return { data: typeView(type, visible(await this.counts(), type, caller)) };
  }

  /** All types by name, as they are defined at this moment. */
  async definitions(): Promise<ListEnvelope<TypeView>> {
    return wholeList((await this.types.latest()).map((type) => typeView(type)));
  }

  /** A type as it is defined at this moment. @throws {DomainError} `type_not_found` */
  definition(type: CompiledType): Promise<CompiledType> {
    return this.types.requireLatest(type);
  }

  /** Some of them. */
  async definitionsOf(names: ReadonlySet<string>): Promise<TypeView[]> {
    return (await this.types.all()).filter(({ name }) => names.has(name)).map((type) => typeView(type));
  }

  private async counts(): Promise<AllCounts> {
    const counts = await this.host.get().counts();
    return new Map(counts.map(({ typeId, status, n }) => [key(typeId, status), n]));
  }
}

function key(typeId: number, status: Status): string {
  return `${typeId} ${status}`;
}

/** Without the right to see drafts there is only what is published, in numbers too. */
function visible(counts: AllCounts, { id, name }: CompiledType, caller: Caller): Counts {
  const statuses = isAllowed(caller, 'drafts:read', name) ? STATUSES : (['published'] as const);
  return Object.fromEntries(statuses.map((status) => [status, counts.get(key(id, status)) ?? 0]));
}
