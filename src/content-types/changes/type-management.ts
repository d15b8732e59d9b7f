import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { isUniqueViolation } from '../../database/dialect/database-error.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import type { CompiledType } from '../definition/content-type.js';
import { ContentTypesService } from '../store/content-types.service.js';
import { prepareDefinition, requireNewType, type KnownNames } from '../definition/definition.js';
import { IndexWork } from './index-work.js';
import { TypeStore } from '../store/type-store.js';
import { TypeUpdates, type Conditions } from './type-updates.js';

/** Defines and changes content types. */
@Injectable()
export class TypeManagement {
  constructor(
    private readonly reauthorization: Reauthorization,
    private readonly store: TypeStore,
    private readonly types: ContentTypesService,
    private readonly updates: TypeUpdates,
    private readonly indexes: IndexWork,
  ) {}

  /**
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `type_exists`, `type_in_use`, `invalid_token`, `insufficient_scope`
   */
  async create(body: unknown, caller: Caller): Promise<CompiledType> {
    await prepareDefinition(body, 'create');
    const draft = requireNewType(body, await this.knownNames());
    try {
      await this.reauthorization.run({ caller, scope: 'types:write' }, async (manager) => {
        // Behind the insert: two types that are created at once wait for each other's row, and one of them begins again.
        await this.store.insert(manager, draft);
        await this.store.requireOwnPath(manager, draft);
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
   * @throws {DomainError} `type_not_found`, `version_conflict`, `type_in_use`, `invalid_token`,
   *   `insufficient_scope`
   */
  async change(type: CompiledType, body: unknown, conditions: Conditions): Promise<CompiledType> {
    await prepareDefinition(body, 'update');
    const names = await this.knownNames();
    const tasks = await this.updates.write(type, { body, conditions, names }).finally(() => {
      this.types.refresh();
    });
    await this.indexes.carryOut(tasks);
    return this.types.require(type.name);
  }

  private async knownNames(): Promise<KnownNames> {
    const [types, taxonomies] = await Promise.all([this.types.latest(), this.store.taxonomyNames()]);
    return { types: types.map(({ name }) => name), taxonomies };
  }
}
