import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { TermManagementService } from '../../taxonomy/terms/term-management.service.js';
import { termSlug } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { ImportTerm, TermName } from '../formats/import-entry.js';

/** Finds and makes terms. */
@Injectable()
export class TermMaker {
  constructor(
    private readonly terms: TermsService,
    private readonly taxonomies: TaxonomiesService,
    private readonly management: TermManagementService,
  ) {}

  async isTree(taxonomy: string): Promise<boolean> {
    return (await this.taxonomies.find(taxonomy))?.isHierarchical === true;
  }

  /** The term that has this slug, or that took the place of the one that had it. */
  async find(taxonomy: string, slug: string): Promise<number | null> {
    return (await this.terms.findBySlug(taxonomy, slug))?.id ?? null;
  }

  /** @throws {ValidationError} with every fault of the body */
  async make(taxonomy: string, slug: string, body: object): Promise<number> {
    try {
      return (await this.management.create({ type: taxonomy, slug, ...body })).id;
    } catch (error) {
      // Another import has made it since we looked.
      const isThere = error instanceof DomainError && error.error === 'term_exists';
      const id = isThere ? await this.find(taxonomy, slug) : null;
      if (id === null) throw error;
      return id;
    }
  }
}

/** Stands for a term that a dry run would make. */
const NOT_MADE = 0;

export interface TermLookupOptions {
  readonly isDryRun: boolean;
  /** Is called with the taxonomy of each term that is made. */
  readonly onNew: (taxonomy: string) => void;
}

/** The terms of one import: found by their slugs, and made where there are none. What editors made of a term stays. */
export class TermLookup {
  private readonly ids = new Map<string, number>();
  /** Names come again with every item, and making a slug is dear. */
  private readonly slugs = new Map<string, string>();

  constructor(
    private readonly maker: TermMaker,
    private readonly options: TermLookupOptions,
  ) {}

  /** @throws {ValidationError} the name is no name of a term */
  async idOf(taxonomy: string, { name, slug }: TermName): Promise<number> {
    return this.require(taxonomy, slug ?? this.slugOf(name), { name });
  }

  /**
   * A term with its place in the tree. In a taxonomy without one the parent is left out.
   *
   * @returns whether its parent was there
   * @throws {ValidationError} the name is no name of a term, or the tree is too deep
   */
  async define({ taxonomy, slug, name, description, parent }: ImportTerm): Promise<boolean> {
    const isTree = await this.maker.isTree(taxonomy);
    const parentId = parent === null || !isTree ? null : await this.find(taxonomy, parent);
    await this.require(taxonomy, slug, {
      name,
      ...(description === '' ? {} : { description }),
      ...(parentId === null || parentId === NOT_MADE ? {} : { parent_id: parentId }),
    });
    return parent === null || parentId !== null;
  }

  private slugOf(name: string): string {
    const slug = this.slugs.get(name) ?? termSlug(name);
    this.slugs.set(name, slug);
    return slug;
  }

  private async require(taxonomy: string, slug: string, body: object): Promise<number> {
    const known = await this.find(taxonomy, slug);
    if (known !== null) return known;
    const id = this.options.isDryRun ? NOT_MADE : await this.maker.make(taxonomy, slug, body);
    this.options.onNew(taxonomy);
    this.ids.set(keyOf(taxonomy, slug), id);
    return id;
  }

  private async find(taxonomy: string, slug: string): Promise<number | null> {
    const key = keyOf(taxonomy, slug);
    const known = this.ids.get(key) ?? (await this.maker.find(taxonomy, slug));
    if (known !== null) this.ids.set(key, known);
    return known;
  }
}

function keyOf(taxonomy: string, slug: string): string {
  return `${taxonomy} ${slug}`;
}
