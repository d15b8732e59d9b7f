import { DomainError } from '../../common/errors/domain-error.js';
import type { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import type { TermManagementService } from '../../taxonomy/terms/term-management.service.js';
import { isOfName, slugKey, termSlug, triedSlug } from '../../taxonomy/terms/term-slug.js';
import type { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { ImportTerm, TermName } from '../formats/import-entry.js';

/** Services that find and make terms. */
interface TermServices {
  readonly taxonomies: TaxonomiesService;
  readonly terms: TermsService;
  readonly management: TermManagementService;
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
  /** By the slugs that the file has for them. */
  private readonly defined = new Map<string, number>();

  constructor(
    private readonly services: TermServices,
    private readonly options: TermLookupOptions,
  ) {}

  /** @throws {ValidationError} the name is no name of a term */
  async idOf(taxonomy: string, term: TermName): Promise<number> {
    return this.require(taxonomy, term, { name: term.name });
  }

  /**
   * A term with its place in the tree. In a taxonomy without one the parent is left out.
   *
   * @returns whether its parent was there
   * @throws {ValidationError} the name is no name of a term, or the tree is too deep
   */
  async define({ taxonomy, slug, name, description, parent }: ImportTerm): Promise<boolean> {
    const isTree = (await this.services.taxonomies.find(taxonomy))?.isHierarchical === true;
    const parentId = parent === null || !isTree ? null : await this.parent(taxonomy, parent);
    const id = await this.require(
      taxonomy,
      { slug, name },
      {
        name,
        ...(description === '' ? {} : { description }),
        ...(parentId === null || parentId === NOT_MADE ? {} : { parent_id: parentId }),
      },
    );
    this.defined.set(slugKey(taxonomy, slug), id);
    return parent === null || parentId !== null;
  }

  private async parent(taxonomy: string, slug: string): Promise<number | null> {
    return (
      this.defined.get(slugKey(taxonomy, slug)) ?? (await this.services.terms.findBySlug(taxonomy, slug))?.id ?? null
    );
  }

  private async require(taxonomy: string, term: TermName, body: object): Promise<number> {
    const key = `${slugKey(taxonomy, term.slug ?? '')} ${term.name}`;
    const known = this.ids.get(key) ?? (await this.find(taxonomy, term));
    const id = known ?? (this.options.isDryRun ? NOT_MADE : await this.make(taxonomy, term, body));
    if (known === null) this.options.onNew(taxonomy);
    this.ids.set(key, id);
    return id;
  }

  /**
   * The term of this name that has this slug, or that took the place of the one that had it; where the slug is of
   * another name, or the file has none, the one of this name.
   */
  private async find(taxonomy: string, { slug, name }: TermName): Promise<number | null> {
    const own = slug ?? termSlug(name);
    const term = await this.services.terms.findBySlug(taxonomy, own);
    if (term && isOfName(term, own, name)) return term.id;
    if (!term && slug !== null) return null;
    return (await this.services.terms.findByName(taxonomy, name))?.id ?? null;
  }

  /**
   * A term with this slug or, where it is that of another name, with a number behind it.
   *
   * @throws {ValidationError} with every fault of the body
   */
  private async make(taxonomy: string, term: TermName, body: object): Promise<number> {
    for (let tried = 1; ; tried += 1) {
      const slug = triedSlug(term, tried);
      try {
        return (await this.services.management.create({ type: taxonomy, slug, ...body })).id;
      } catch (error) {
        if (!(error instanceof DomainError) || error.error !== 'term_exists') throw error;
        // Another import may have made it since we looked.
        const id = await this.find(taxonomy, { ...term, slug });
        if (id !== null) return id;
      }
    }
  }
}
