import { Injectable } from '@nestjs/common';
import { SERVICE } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { TypeManagement } from '../../content-types/changes/type-management.js';
import { compileType } from '../../content-types/definition/compiled-type.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { rulesOf } from '../../content-types/definition/field-definition.js';
import type { Field } from '../../content-types/kinds/field.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { TaxonomyManagementService } from '../../taxonomy/taxonomy-management.service.js';
import { TermManagementService } from '../../taxonomy/terms/term-management.service.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import { TermLookup, type TermLookupOptions } from './term-lookup.js';

/** Parts of items that every type can hold. */
export interface Wanted {
  readonly fields: readonly string[];
  readonly taxonomies: readonly string[];
}

const AUTHOR = { name: 'author', label: 'Author', label_plural: 'Authors', hierarchical: false };
const ADDED_FIELDS: Readonly<Record<string, object>> = {
  excerpt: { name: 'excerpt', type: 'text', label: 'Excerpt', searchable: true },
};

/** Tells whether types get a field of this name when they have none. */
export function isAddable(field: string): boolean {
  return Object.hasOwn(ADDED_FIELDS, field);
}

interface ExtensionOptions {
  readonly isDryRun: boolean;
}

/** Adds to content types the fields and taxonomies that nearly every import brings. Nothing is ever taken away. */
@Injectable()
export class TargetTypes {
  constructor(
    private readonly management: TypeManagement,
    private readonly taxonomies: TaxonomiesService,
    private readonly taxonomyManagement: TaxonomyManagementService,
    private readonly terms: TermsService,
    private readonly termManagement: TermManagementService,
  ) {}

  /** The terms of one import. */
  termLookup(options: TermLookupOptions): TermLookup {
    const { taxonomies, terms, termManagement: management } = this;
    return new TermLookup({ taxonomies, terms, management }, options);
  }

  /** The type with what it lacks of what is wanted, and a sentence for each addition. */
  async extended(
    type: CompiledType,
    wanted: Wanted,
    { isDryRun }: ExtensionOptions,
  ): Promise<{ type: CompiledType; added: string[] }> {
    const fields = wanted.fields.filter((field) => !type.fieldsByName.has(field));
    const lacking = wanted.taxonomies.filter((name) => !type.taxonomies.includes(name));
    const found = await Promise.all(
      lacking.map(async (name) => ({ name, ...(await this.ensureTaxonomy(name, { isDryRun })) })),
    );
    const taxonomies = found.filter(({ isKnown }) => isKnown).map(({ name }) => name);
    const added = [
      ...found.flatMap((one) => one.added),
      ...fields.map((field) => `The type ${type.name} gets the field ${field}.`),
      ...taxonomies.map((taxonomy) => `The type ${type.name} gets the taxonomy ${taxonomy}.`),
    ];
    if (fields.length === 0 && taxonomies.length === 0) return { type, added };
    return { type: await this.changed(type, { fields, taxonomies }, { isDryRun }), added };
  }

  /** Tells whether there is a taxonomy of this name; that of authors is declared when it is needed. */
  async ensureTaxonomy(name: string, { isDryRun }: ExtensionOptions): Promise<{ isKnown: boolean; added: string[] }> {
    if ((await this.taxonomies.find(name)) !== null) return { isKnown: true, added: [] };
    if (name !== AUTHOR.name) return { isKnown: false, added: [] };
    if (!isDryRun) await this.taxonomyManagement.create(AUTHOR, SERVICE).catch(unlessThere);
    return { isKnown: true, added: [`The taxonomy ${name} is declared.`] };
  }

  private changed(
    type: CompiledType,
    { fields, taxonomies }: Wanted,
    { isDryRun }: ExtensionOptions,
  ): Promise<CompiledType> {
    const all = { taxonomies: [...type.taxonomies, ...taxonomies] };
    const added = fields.map((name) => ADDED_FIELDS[name] ?? {});
    if (isDryRun)
      return Promise.resolve(compileType({ ...type, ...all, fields: [...type.fields, ...added.map(pretended)] }));
    const known = type.fields.map(rulesOf);
    return this.management.change(type, { ...all, fields: [...known, ...added] }, { confirm: null, caller: SERVICE });
  }
}

/** Another import may have declared it since we looked. */
function unlessThere(error: unknown): void {
  if (!(error instanceof DomainError) || error.error !== 'taxonomy_exists') throw error;
}

function pretended(field: object): Field {
  const none = { required: false, unique: false, indexed: false, searchable: false };
  return { ...none, key: 0, id: 'f_0', ...(field as Pick<Field, 'name' | 'type' | 'label'>) };
}
