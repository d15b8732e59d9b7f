import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Fault } from '../../common/errors/domain-error.js';
import { isOwnName } from '../../common/text/names.js';
import type { JsonSchema } from '../../common/schema/json-schema.js';
import { select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { reader } from './input.js';
import { TaxonomiesService } from './taxonomies.service.js';
import { TAXONOMY_CREATE, type TaxonomyBody } from './taxonomy-input.js';
import { TaxonomyStore, type TaxonomyDraft, type TaxonomyStamp } from './taxonomy-store.js';
import { TAXONOMY_COLUMNS, taxonomyOf, type Taxonomy, type TaxonomyColumns } from './taxonomy.js';

/** The result of copying a taxonomy of another database, or the reasons against it. */
export interface TaxonomyCopyResult {
  readonly name: string;
  readonly result: 'created' | 'taken_over' | 'used' | 'refused';
  readonly faults: readonly Fault[];
}

type CopyBody = TaxonomyBody & { readonly version: number; readonly created_at: string; readonly updated_at: string };

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const { properties: own } = TAXONOMY_CREATE as { properties: JsonSchema };
/** The rules of an earlier release. */
const LABEL: JsonSchema = { ...(own.label as JsonSchema), 'x-no-controls': false, 'x-no-overrides': false };
const COPY: JsonSchema = {
  type: 'object',
  properties: {
    ...own,
    label: LABEL,
    label_plural: LABEL,
    version: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
    created_at: TIME,
    updated_at: TIME,
  },
  required: ['name', 'label', 'label_plural', 'description', 'hierarchical', 'version', 'created_at', 'updated_at'],
  additionalProperties: false,
};
const readCopy = reader<CopyBody>(COPY, '');

interface CopyOptions {
  readonly isDryRun: boolean;
}

/** Takes taxonomies over from another database. */
@Injectable()
export class TaxonomyCopies {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly taxonomies: TaxonomiesService,
    private readonly store: TaxonomyStore,
  ) {}

  async take(given: unknown, options: CopyOptions): Promise<TaxonomyCopyResult> {
    const { body, faults } = readCopy(given);
    const name = body.name ?? '';
    const all = [...faults, ...(isOwnName(name) ? [] : [reserved(name)])];
    if (all.length > 0) return { name, result: 'refused', faults: all };
    // No fault: every part is there.
    const copy = body as CopyBody;
    const taken = await this.unitOfWork.run((manager) => this.write(manager, copy, options));
    this.taxonomies.refresh();
    return taken;
  }

  private async write(manager: EntityManager, copy: CopyBody, { isDryRun }: CopyOptions): Promise<TaxonomyCopyResult> {
    const { name } = copy;
    const sql = `SELECT ${TAXONOMY_COLUMNS} FROM taxonomies WHERE name = ?`;
    const [row] = await select<TaxonomyColumns>(manager, sql, [name]);
    const before = row ? taxonomyOf(row) : null;
    const stamp = stampOf(copy);
    if (!before) {
      if (!isDryRun) await this.store.insert(manager, draftOf(copy), stamp);
      return { name, result: 'created', faults: [] };
    }
    // One that was never used may become another one: so do those that a new database begins with.
    if (before.version === 1 && (await this.store.countTerms(manager, before)) === 0) {
      if (!isDryRun) await this.store.replace(manager, before.id, draftOf(copy), stamp);
      return { name, result: 'taken_over', faults: [] };
    }
    return misfit(copy, before);
  }
}

function misfit({ name, hierarchical }: CopyBody, before: Taxonomy): TaxonomyCopyResult {
  if (!hierarchical || before.isHierarchical) return { name, result: 'used', faults: [] };
  const message = `The terms of ${name} here have no parents. Change the taxonomy, or import elsewhere.`;
  return { name, result: 'refused', faults: [{ field: 'hierarchical', rule: 'type', message }] };
}

function reserved(name: string): Fault {
  return { field: 'name', rule: 'reserved', message: `name must not be ${name}: the service uses that name.` };
}

function draftOf({ name, label, label_plural: labelPlural, description, hierarchical }: CopyBody): TaxonomyDraft {
  return { name, label, labelPlural, description, isHierarchical: hierarchical };
}

function stampOf({ version, created_at: created, updated_at: updated }: CopyBody): TaxonomyStamp {
  return { version, createdAt: Date.parse(created), updatedAt: Date.parse(updated) };
}
