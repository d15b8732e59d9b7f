import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { compileType } from '../../content-types/compiled-type.js';
import type { CompiledType, Field } from '../../content-types/content-type.js';
import { ContentTypes } from '../../content-types/content-types.service.js';
import { rulesOf } from '../../content-types/field-identity.js';
import { TypeManagement } from '../../content-types/type-management.service.js';
import { Taxonomies } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { TaxonomyManagement } from '../../taxonomy/taxonomies/taxonomy-management.service.js';
import { TermBook, TermMaker } from './term-book.js';

/** What items bring along that every type can hold. */
export interface Wanted {
  readonly fields: readonly string[];
  readonly taxonomies: readonly string[];
}

const AUTHOR = { name: 'author', label: 'Author', label_plural: 'Authors', hierarchical: false };
const ADDED_FIELDS: Readonly<Record<string, object>> = {
  excerpt: { name: 'excerpt', type: 'text', label: 'Excerpt', searchable: true },
};

/** Whether types get a field of this name when they have none. */
export function isAddable(field: string): boolean {
  return Object.hasOwn(ADDED_FIELDS, field);
}

/** Makes room in content types for what nearly every import brings. Nothing is ever taken away. */
@Injectable()
export class TargetTypes {
  constructor(
    private readonly types: ContentTypes,
    private readonly management: TypeManagement,
    private readonly taxonomies: Taxonomies,
    private readonly taxonomyManagement: TaxonomyManagement,
    private readonly termMaker: TermMaker,
  ) {}

  find(name: string): Promise<CompiledType | null> {
    return this.types.find(name);
  }

  require(name: string): Promise<CompiledType> {
    return this.types.require(name);
  }

  /** The terms of one import. */
  termBook(isDryRun: boolean, onNew: (taxonomy: string) => void): TermBook {
    return new TermBook(this.termMaker, isDryRun, onNew);
  }

  /** The type with what it lacks of what is wanted, and sentences that tell what was added. */
  async withRoom(
    type: CompiledType,
    wanted: Wanted,
    isDryRun: boolean,
  ): Promise<{ type: CompiledType; added: string[] }> {
    const fields = wanted.fields.filter((field) => !type.fieldsByName.has(field));
    const lacking = wanted.taxonomies.filter((name) => !type.taxonomies.includes(name));
    const found = await Promise.all(lacking.map(async (name) => ({ name, ...(await this.taxonomy(name, isDryRun)) })));
    const taxonomies = found.filter(({ isKnown }) => isKnown).map(({ name }) => name);
    const added = [
      ...found.flatMap((one) => one.added),
      ...fields.map((field) => `The type ${type.name} gets the field ${field}.`),
      ...taxonomies.map((taxonomy) => `The type ${type.name} gets the taxonomy ${taxonomy}.`),
    ];
    if (fields.length === 0 && taxonomies.length === 0) return { type, added };
    return { type: await this.extended(type, fields, taxonomies, isDryRun), added };
  }

  /** Whether there is a taxonomy of this name; that of authors is declared when it is needed. */
  async taxonomy(name: string, isDryRun: boolean): Promise<{ isKnown: boolean; added: string[] }> {
    if ((await this.taxonomies.find(name)) !== null) return { isKnown: true, added: [] };
    if (name !== AUTHOR.name) return { isKnown: false, added: [] };
    if (!isDryRun) await this.taxonomyManagement.create(AUTHOR).catch(unlessThere);
    return { isKnown: true, added: [`The taxonomy ${name} is declared.`] };
  }

  private extended(
    type: CompiledType,
    fields: readonly string[],
    taxonomies: readonly string[],
    isDryRun: boolean,
  ): Promise<CompiledType> {
    const all = { taxonomies: [...type.taxonomies, ...taxonomies] };
    const added = fields.map((name) => ADDED_FIELDS[name] ?? {});
    if (isDryRun)
      return Promise.resolve(compileType({ ...type, ...all, fields: [...type.fields, ...added.map(pretended)] }));
    const known = type.fields.map(rulesOf);
    return this.management.change(type, { ...all, fields: [...known, ...added] }, { confirm: null });
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
