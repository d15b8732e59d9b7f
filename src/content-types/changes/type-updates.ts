import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AuditedUnits, type AddEvent } from '../../audit/audited-units.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { requireIfMatch } from '../../common/http/answer.js';
import type { TypeDefinition } from '../definition/content-type.js';
import { typeNotFound } from '../store/content-types.service.js';
import { requireChangedType, type KnownNames, type TypeDraft } from '../definition/definition.js';
import { needsIndex } from '../definition/field-index.js';
import type { Drop } from './index-builder.js';
import { NO_TASKS, type IndexTasks } from './index-work.js';
import { changesOf, needsDrop, type TypeChanges } from '../definition/type-changes.js';
import { TaxonomyWithdrawals } from './taxonomy-withdrawals.js';
import { TypeInspections, type Inspection, type PlannedChange } from './type-inspections.js';
import { TypeStore } from '../store/type-store.js';
import { TypeUsageHost } from '../store/type-usage.port.js';

/** The conditions under which a client requests a change. */
export interface Conditions {
  /** Validators of which one must be the present one (`If-Match`). */
  readonly ifMatch?: string | undefined;
  /** The name of the type, sent again to say that a loss is meant. */
  readonly confirm: string | null;
  /** The author of the writes that withdraw terms from records; left out: the service. */
  readonly caller: Caller;
  /** The place of the caller, for the audit. */
  readonly visitor?: Visitor | null;
}

/** A requested change. */
export interface WantedChange {
  readonly body: unknown;
  readonly conditions: Conditions;
  readonly names: KnownNames;
}

type Target = Pick<TypeDefinition, 'id' | 'name'>;

/** Others may change the type meanwhile, after which its records are looked at, or wait for their terms to go, anew. */
const MAX_TRIES = 10;

/** Records of the type still hold terms that an earlier change has taken from it. */
class TermsPendingError extends Error {}

/** Writes changes of content types: in one unit of work, after a look at the records where they might suffer. */
@Injectable()
export class TypeUpdates {
  constructor(
    private readonly units: AuditedUnits,
    private readonly store: TypeStore,
    private readonly host: TypeUsageHost,
    private readonly inspections: TypeInspections,
    private readonly withdrawals: TaxonomyWithdrawals,
  ) {}

  /**
   * @returns tasks that the change leaves for the side index
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `type_not_found`, `version_conflict`, `type_in_use`, `invalid_token`, `insufficient_scope`
   */
  async write(target: Target, wanted: WantedChange): Promise<IndexTasks> {
    const { caller } = wanted.conditions;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      await this.withdrawals.finish(target.id, caller);
      try {
        const tasks = await this.tryToWrite(target, wanted);
        await this.withdrawals.finish(target.id, caller);
        return tasks;
      } catch (error) {
        if (!(error instanceof TermsPendingError)) throw error;
      }
    }
    throw busy();
  }

  private async tryToWrite(target: Target, wanted: WantedChange): Promise<IndexTasks> {
    const done = await this.attempt(target, wanted, null);
    return isPlan(done) ? this.writeInspected(target, wanted, done) : done;
  }

  private writeInspected(target: Target, wanted: WantedChange, first: PlannedChange): Promise<IndexTasks> {
    return this.inspections.during(target.id, async (watch) => {
      let plan = first;
      for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
        const done = await this.attempt(target, wanted, await this.inspections.inspect(watch, plan));
        if (!isPlan(done)) return done;
        plan = done;
      }
      throw busy();
    });
  }

  /**
   * @param seen of the records that are there; `null`: nothing yet
   * @returns the change, if records have to be looked at before it can be written
   */
  private async attempt(target: Target, wanted: WantedChange, seen: Inspection | null): Promise<Attempt> {
    let removed: readonly string[] = [];
    const attempted = async (manager: EntityManager, add: AddEvent): Promise<Attempt> => {
      const plan = await this.planned(manager, target, wanted);
      if (plan.changes.isEmpty) return NO_TASKS;
      const { before, draft, changes } = plan;
      const hasRecords = await this.host.get().hasRecords(manager, before.id);
      if (hasRecords && !(await this.isInspected(manager, plan, seen))) return plan;
      await this.store.holdTargets(manager, draft);
      if (draft.options.url_path !== before.url_path)
        await this.store.requireOwnPath(manager, { ...draft, name: before.name });
      const tasks = await this.apply(manager, before, changes, hasRecords);
      await this.store.bump(manager, { ...draft.options, id: before.id });
      await this.host.get().changed(manager, before, await this.present(manager, before));
      // What is lost by a confirmed change cannot be seen in the type afterwards.
      if (plan.confirmation === 'confirmed') await add('type.changed', { type: before.name });
      removed = changes.removed.map(({ id }) => id);
      return tasks;
    };
    const { caller, visitor } = wanted.conditions;
    const done = await this.units.run({ caller, visitor, scope: 'types:write' }, attempted, {
      isRepeatable: (result) => result === NO_TASKS || isPlan(result),
    });
    if (removed.length > 0) await this.host.copies().forget(target.id, { fields: removed });
    return done;
  }

  /** @throws {TermsPendingError} */
  private async planned(
    manager: EntityManager,
    target: Target,
    { body, conditions, names }: WantedChange,
  ): Promise<PlannedChange & { readonly draft: TypeDraft }> {
    const before = await this.present(manager, target);
    if (await this.withdrawals.isPending(manager, before.id)) throw new TermsPendingError();
    requireIfMatch(conditions.ifMatch, 'type', before);
    const draft = requireChangedType(body, before, names);
    return { before, draft, changes: changesOf(before, draft), confirmation: confirmationOf(before, conditions) };
  }

  private async isInspected(manager: EntityManager, plan: PlannedChange, seen: Inspection | null): Promise<boolean> {
    if (!this.inspections.isNeeded(plan)) return true;
    return seen !== null && seen.version === plan.before.version && (await seen.isComplete(manager));
  }

  private async apply(
    manager: EntityManager,
    before: TypeDefinition,
    changes: TypeChanges,
    hasRecords: boolean,
  ): Promise<IndexTasks> {
    const builder = randomUUID();
    if (hasRecords) await this.withdrawals.begin(manager, before.id, changes.removedTaxonomies);
    const { rebuilt, inserted } = await this.store.update(manager, before, changes, hasRecords ? builder : null);
    const build = { typeId: before.id, builder };
    const builds = [
      ...rebuilt.map((fieldKey) => ({ ...build, fieldKey, isNew: false })),
      ...inserted.map((fieldKey) => ({ ...build, fieldKey, isNew: true })),
    ];
    return { builds, drops: dropsOf(before, changes) };
  }

  private async present(manager: EntityManager, { id, name }: Target): Promise<TypeDefinition> {
    const type = await this.store.lock(manager, id);
    if (!type) throw typeNotFound(name);
    return type;
  }
}

/** Tasks of a change that was written, or a change whose records have to be looked at first. */
type Attempt = IndexTasks | PlannedChange;

function isPlan(done: Attempt): done is PlannedChange {
  return 'before' in done;
}

function busy(): DomainError {
  return new DomainError('overloaded', 'Others are changing the type. Try again in a moment.');
}

function confirmationOf({ name }: TypeDefinition, { confirm }: Conditions): PlannedChange['confirmation'] {
  return confirm === name ? 'confirmed' : 'unconfirmed';
}

function dropsOf({ id: typeId }: TypeDefinition, { kept, removed }: TypeChanges): Drop[] {
  const fields = [...kept.filter(needsDrop).map(({ before }) => before), ...removed.filter(needsIndex)];
  return fields.map(({ key }) => ({ typeId, fieldKey: key }));
}
