import { Injectable } from '@nestjs/common';
import { In, MoreThan, type EntityManager } from 'typeorm';
import type { Caller } from '../common/access/caller.js';
import type { Visitor } from '../common/access/visitor.js';
import { Clock } from '../common/clock.js';
import { ValidationError, type Fault } from '../common/errors/domain-error.js';
import { requireIfMatch } from '../common/http/answer.js';
import { isReservedName, labelOf, pluralOf } from '../common/text/names.js';
import { isUniqueViolation } from '../database/dialect/database-error.js';
import { insertRow } from '../database/statements/statement.js';
import { AuditedUnits, type AddEvent } from '../audit/audited-units.js';
import { TaxonomiesService } from './taxonomies/taxonomies.service.js';
import {
  taxonomyExists,
  taxonomyHasTree,
  taxonomyInUse,
  taxonomyNotEmpty,
  taxonomyNotFound,
} from './taxonomies/taxonomy.errors.js';
import { readNewTaxonomy, readTaxonomyChange, type TaxonomyBody } from './taxonomies/taxonomy-input.js';
import { TaxonomyReferrersHost } from './taxonomies/taxonomy-referrers.port.js';
import { TaxonomyEntity, Term, TermRedirect } from './taxonomies/taxonomy.entity.js';
import type { Taxonomy } from './taxonomies/taxonomy.js';
import { TermStore } from './terms/term-store.js';

/** The values that a taxonomy is to have. */
type TaxonomyDraft = Pick<Taxonomy, 'name' | 'label' | 'labelPlural' | 'description' | 'isHierarchical'>;

/** Terms that a unit of work removes. */
const BATCH = 1_000;

/** Under what circumstances a client wants a change. */
export interface TaxonomyConditions {
  /** Validators of which one must be the present one (`If-Match`). */
  readonly ifMatch?: string | undefined;
  readonly caller: Caller;
}

/** The way in which a taxonomy is deleted, and by whom. */
interface Removal {
  /** The name, sent again to say that the terms may go too. */
  readonly confirm: string | null;
  readonly caller: Caller;
  readonly visitor: Visitor | null;
}

/** Declares, changes and deletes taxonomies. */
@Injectable()
export class TaxonomyManagementService {
  constructor(
    private readonly units: AuditedUnits,
    private readonly taxonomies: TaxonomiesService,
    private readonly terms: TermStore,
    private readonly referrers: TaxonomyReferrersHost,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `taxonomy_exists`, `invalid_token`, `insufficient_scope`
   */
  async create(body: unknown, caller: Caller): Promise<Taxonomy> {
    const { body: input, faults } = readNewTaxonomy(body);
    const all = [...faults, ...reservedFaults(input)];
    if (all.length > 0 || input.name === undefined) throw new ValidationError(all);
    const draft = draftOf(input, freshDraft(input.name, input.label));
    try {
      await this.units.run({ caller, scope: 'types:write' }, async (manager) => {
        const now = this.clock.now();
        const times = { termsChangedAt: now, createdAt: now, updatedAt: now };
        await insertRow(manager, TaxonomyEntity, { ...draft, version: 1, ...times });
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw taxonomyExists(draft.name, error);
      throw error;
    }
    this.taxonomies.refresh();
    return this.taxonomies.require(draft.name);
  }

  /**
   * Changes what is sent and leaves the rest; a change that changes nothing writes nothing.
   *
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `taxonomy_not_found`, `version_conflict`; `taxonomy_in_use`: the tree would be lost,
   *   `invalid_token`, `insufficient_scope`
   */
  async change({ id, name }: Taxonomy, body: unknown, { ifMatch, caller }: TaxonomyConditions): Promise<Taxonomy> {
    const { body: input, faults } = readTaxonomyChange(body);
    const all = [...faults, ...renameFaults(input, name)];
    await this.units.run({ caller, scope: 'types:write' }, async (manager) => {
      const taxonomy = await this.taxonomies.lock(manager, id);
      if (!taxonomy) throw taxonomyNotFound(name);
      requireIfMatch(ifMatch, 'taxonomy', taxonomy);
      if (all.length > 0) throw new ValidationError(all);
      await this.write(manager, taxonomy, draftOf(input, taxonomy));
    });
    this.taxonomies.refresh();
    return this.taxonomies.require(name);
  }

  /**
   * Deletes a taxonomy that no content type names, and its terms with it. They go some at a time, the taxonomy with the
   * last of them: what an interruption leaves behind is a taxonomy with fewer terms, which can be deleted as before.
   *
   * @throws {DomainError} `taxonomy_not_found`, `taxonomy_in_use`: content types name it, `taxonomy_not_empty`,
   *   `invalid_token`, `insufficient_scope`
   */
  async remove({ id, name }: Taxonomy, { confirm, ...by }: Removal): Promise<void> {
    const step = async (manager: EntityManager, add: AddEvent): Promise<boolean> => {
      const taxonomy = await this.taxonomies.lock(manager, id);
      if (!taxonomy) throw taxonomyNotFound(name);
      await this.requireRemovable(manager, taxonomy, confirm);
      const isEmpty = await removeTerms(manager, name);
      if (!isEmpty) await this.terms.touch(manager, taxonomy);
      else {
        await manager.delete(TermRedirect, { taxonomy: name });
        await manager.delete(TaxonomyEntity, { id });
        await add('taxonomy.deleted', { taxonomy: name });
      }
      return isEmpty;
    };
    while (!(await this.units.run({ ...by, scope: 'types:write' }, step)));
    this.taxonomies.refresh();
  }

  private async requireRemovable(manager: EntityManager, taxonomy: Taxonomy, confirm: string | null): Promise<void> {
    const { name } = taxonomy;
    const types = await this.referrers.get().typesWith(manager, name);
    if (types.length > 0) throw taxonomyInUse(name, types);
    if (confirm === name) return;
    const terms = await manager.countBy(Term, { taxonomy: name });
    if (terms > 0) throw taxonomyNotEmpty(name, terms);
  }

  private async write(manager: EntityManager, taxonomy: Taxonomy, draft: TaxonomyDraft): Promise<void> {
    if (isSame(taxonomy, draft)) return;
    if (taxonomy.isHierarchical && !draft.isHierarchical) {
      const nested = await manager.countBy(Term, { taxonomy: taxonomy.name, depth: MoreThan(1) });
      if (nested > 0) throw taxonomyHasTree(taxonomy.name, nested);
    }
    const next = { version: () => 'version + 1', updatedAt: this.clock.now() };
    await manager.update(TaxonomyEntity, { id: taxonomy.id }, { ...draft, ...next });
  }
}

/** Removes some terms of a taxonomy, the last ones first. Returns whether none was left. */
async function removeTerms(manager: EntityManager, taxonomy: string): Promise<boolean> {
  const last = await manager.find(Term, {
    select: { id: true },
    where: { taxonomy },
    order: { sortKey: 'DESC' },
    take: BATCH,
  });
  const ids = last.map(({ id }) => id);
  if (ids.length > 0) await manager.delete(Term, { id: In(ids) });
  return ids.length === 0;
}

function freshDraft(name: string, label = labelOf(name)): TaxonomyDraft {
  return { name, label, labelPlural: pluralOf(label), description: '', isHierarchical: false };
}

function draftOf(input: Partial<TaxonomyBody>, before: TaxonomyDraft): TaxonomyDraft {
  return {
    name: before.name,
    label: input.label ?? before.label,
    labelPlural: input.label_plural ?? before.labelPlural,
    description: input.description ?? before.description,
    isHierarchical: input.hierarchical ?? before.isHierarchical,
  };
}

function isSame(before: TaxonomyDraft, after: TaxonomyDraft): boolean {
  const keys = ['label', 'labelPlural', 'description', 'isHierarchical'] as const;
  return keys.every((key) => before[key] === after[key]);
}

function reservedFaults({ name }: Partial<TaxonomyBody>): Fault[] {
  if (name === undefined || !isReservedName(name)) return [];
  return [{ field: 'name', rule: 'reserved', message: `name must not be ${name}: the service uses that name.` }];
}

function renameFaults({ name }: Partial<TaxonomyBody>, present: string): Fault[] {
  if (name === undefined || name === present) return [];
  return [{ field: 'name', rule: 'read_only', message: `The taxonomy is called ${present} and cannot be renamed.` }];
}
