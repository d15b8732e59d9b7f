import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../common/errors/domain-error.js';
import { holds } from '../common/http/answer.js';
import { isUniqueViolation } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { CompiledType, TypeDefinition } from './content-type.js';
import { ContentTypes, typeNotFound } from './content-types.service.js';
import { requireChangedType, requireNewType, type KnownNames } from './definition.js';
import { needsIndex } from './field-index.js';
import { IndexBuilder, type Build } from './index-builder.service.js';
import { requireLossless } from './lossy-changes.js';
import { changesOf, needsDrop, type TypeChanges } from './type-changes.js';
import { TypeStore } from './type-store.js';
import { versionTag } from './type-view.js';
import { TypeUsageHolder } from './type-usage.port.js';

/** Under what circumstances a client wants a change. */
export interface Conditions {
  /** Validators of which one must be the present one (`If-Match`). */
  readonly ifMatch?: string | undefined;
  /** The name of the type, sent again to say that a loss is meant. */
  readonly confirm: string | null;
}

/** What is left to do with the side index once a change is committed. */
interface IndexWork {
  readonly builds: readonly Build[];
  readonly drops: readonly number[];
}

const NO_WORK: IndexWork = { builds: [], drops: [] };

/** Defines and changes content types. */
@Injectable()
export class TypeManagement {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TypeStore,
    private readonly types: ContentTypes,
    private readonly holder: TypeUsageHolder,
    private readonly indexes: IndexBuilder,
  ) {}

  /**
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `type_exists`
   */
  async create(body: unknown): Promise<CompiledType> {
    const draft = requireNewType(body, await this.knownNames());
    try {
      await this.unitOfWork.run(async (manager) => {
        await this.store.insert(manager, draft);
        await this.store.holdTargets(manager, draft);
      });
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause;
      throw new DomainError('type_exists', `There is a content type "${draft.name}" already.`, { cause });
    }
    this.types.refresh();
    return this.types.require(draft.name);
  }

  /**
   * Changes what the body names. Answers when the side index holds all records again.
   *
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `type_not_found`, `version_conflict`, `type_in_use`
   */
  async change({ id, name }: CompiledType, body: unknown, conditions: Conditions): Promise<CompiledType> {
    const names = await this.knownNames();
    const { builds, drops } = await this.unitOfWork.run(async (manager) => {
      const before = await this.present(manager, { id, name });
      requireVersion(before, conditions);
      const draft = requireChangedType(body, before, names);
      const changes = changesOf(before, draft);
      if (changes.isEmpty) return NO_WORK;
      await this.store.holdTargets(manager, draft);
      const work = await this.apply(manager, before, changes, conditions);
      await this.store.bump(manager, { ...draft.options, id });
      await this.holder.get().changed(manager, before, await this.present(manager, before));
      return work;
    });
    this.types.refresh();
    for (const build of builds) await this.indexes.build(build);
    for (const fieldKey of drops) await this.indexes.drop(id, fieldKey);
    return this.types.require(name);
  }

  private async apply(
    manager: EntityManager,
    before: TypeDefinition,
    changes: TypeChanges,
    { confirm }: Conditions,
  ): Promise<IndexWork> {
    const usage = this.holder.get();
    const hasRecords = (await usage.count(manager, before.id)) > 0;
    if (hasRecords) await requireLossless(manager, usage, before, changes, confirm === before.name);
    const builder = randomUUID();
    const { rebuilt, inserted } = await this.store.update(manager, before, changes, hasRecords ? builder : null);
    const build = (isNew: boolean) => (fieldKey: number) => ({ typeId: before.id, fieldKey, builder, isNew });
    return { builds: [...rebuilt.map(build(false)), ...inserted.map(build(true))], drops: dropsOf(changes) };
  }

  private async present(
    manager: EntityManager,
    { id, name }: Pick<TypeDefinition, 'id' | 'name'>,
  ): Promise<TypeDefinition> {
    const type = await this.store.lock(manager, id);
    if (!type) throw typeNotFound(name);
    return type;
  }

  private async knownNames(): Promise<KnownNames> {
    const [types, taxonomies] = await Promise.all([this.types.all(), this.store.taxonomyNames()]);
    return { types: types.map(({ name }) => name), taxonomies };
  }
}

function dropsOf({ kept, removed }: TypeChanges): number[] {
  return [...kept.filter(needsDrop).map(({ before }) => before), ...removed.filter(needsIndex)].map(({ key }) => key);
}

function requireVersion(type: TypeDefinition, { ifMatch }: Conditions): void {
  if (ifMatch === undefined || holds(ifMatch, versionTag(type))) return;
  throw new DomainError(
    'version_conflict',
    `The type has changed since you read it; it is at version ${type.version} now.`,
    {
      details: [{ version: type.version }],
      headers: { ETag: versionTag(type) },
    },
  );
}
