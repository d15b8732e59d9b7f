import type { NamedTerm } from '../../taxonomy/terms/named-terms.js';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import type { TermRow } from '../../taxonomy/terms/term-row.js';
import { isOfName, slugKey, termSlug } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { Rollback } from './rollback-values.js';
import type { PlannedTerm } from '../snapshots/snapshot.js';

/** Terms by taxonomy: as a body names them, and as they will be shown. */
export interface OldTerms {
  /** `null`: nothing is to change. */
  readonly input: Readonly<Record<string, readonly (string | number)[]>> | null;
  readonly shown: Readonly<Record<string, readonly PlannedTerm[]>>;
}

/** A term of an old state, and the one in its place by now. */
interface Successor {
  readonly was: NamedTerm;
  readonly is: TermRow | undefined;
}

/** Old terms of a taxonomy. */
interface Former {
  readonly taxonomy: string;
  /** True if a term that is gone is made again by its name. */
  readonly canCreate: boolean;
  readonly terms: readonly NamedTerm[];
}

/** Finds the terms that a record had again, or others in their place. */
@Injectable()
export class RollbackTerms {
  constructor(
    private readonly terms: TermsService,
    private readonly taxonomies: TaxonomiesService,
  ) {}

  async of(rollback: Rollback): Promise<OldTerms> {
    const { type, present, snapshot, selection, notes } = rollback;
    const input: Record<string, readonly (string | number)[]> = {};
    const shown: Record<string, readonly PlannedTerm[]> = {};
    const names = type.taxonomies.filter((name) => selection.hasTaxonomy(name));
    const former = await Promise.all(names.map((name) => this.former(name, snapshot.terms[name] ?? [])));
    for (const { taxonomy, canCreate, successors } of await this.successorsOf(former)) {
      const found = foundIn(successors, { canCreate, taxonomy, notes });
      if (isDeepStrictEqual([...found.keys()], present.terms[taxonomy] ?? [])) continue;
      input[taxonomy] = [...found.keys()];
      shown[taxonomy] = [...found.values()];
    }
    const removed = Object.keys(snapshot.terms).filter((name) => !type.taxonomies.includes(name));
    for (const field of removed.filter((name) => selection.hasTaxonomy(name)))
      notes.skipped.push({ field, reason: 'taxonomy_removed' });
    return { input: Object.keys(input).length === 0 ? null : input, shown };
  }

  private async former(taxonomy: string, terms: readonly NamedTerm[]): Promise<Former> {
    return { taxonomy, canCreate: (await this.taxonomies.find(taxonomy))?.isHierarchical === false, terms };
  }

  /**
   * Finds the terms in the place of old ones, taxonomy by taxonomy: by id, also where it was merged, and else by slug, or
   * by the name by which a write would find it.
   */
  private async successorsOf(
    old: readonly Former[],
  ): Promise<readonly (Former & { readonly successors: readonly Successor[] })[]> {
    const byId = await this.terms.byIds(old.flatMap(({ terms }) => terms.map(({ id }) => id)));
    const own = (taxonomy: string, id: number) => {
      const term = byId.get(id);
      return term?.taxonomy === taxonomy ? term : undefined;
    };
    const gone = old.map((former) => {
      const slugs = former.terms
        .filter(({ id }) => !own(former.taxonomy, id))
        .flatMap((term) => likelySlugs(term, former.canCreate));
      return [former.taxonomy, new Set(slugs)] as const;
    });
    const bySlug = await this.terms.findAll(new Map(gone.filter(([, slugs]) => slugs.size > 0)));
    return old.map((former) => {
      const { taxonomy, terms, canCreate } = former;
      const others = (was: NamedTerm) =>
        likelySlugs(was, canCreate).map((slug) => {
          const term = bySlug.get(slugKey(taxonomy, slug));
          return term && (slug === was.slug || isOfName(term, slug, was.name)) ? term : undefined;
        });
      const successors = terms.map((was) => ({
        was,
        is: own(taxonomy, was.id) ?? others(was).find((term) => term !== undefined),
      }));
      return { ...former, successors };
    });
  }
}

/** Slugs of what may stand in the place of a term, the likeliest first. */
function likelySlugs({ slug, name }: NamedTerm, canCreate: boolean): readonly string[] {
  return canCreate ? [slug, name, termSlug(name)] : [slug];
}

/** The terms that are there, and as new ones the tags that are not. What cannot be found is noted. */
function foundIn(
  successors: readonly Successor[],
  { canCreate, taxonomy, notes }: Pick<Former, 'canCreate' | 'taxonomy'> & Pick<Rollback, 'notes'>,
): ReadonlyMap<string | number, PlannedTerm> {
  const all = new Map<string | number, PlannedTerm>();
  for (const { was, is } of successors) {
    if (is) all.set(is.id, { id: is.id, slug: is.slug, name: is.name });
    else if (canCreate) all.set(was.name, { id: null, slug: termSlug(was.name), name: was.name });
    else notes.skipped.push({ field: taxonomy, reason: 'term_gone', value: was.slug });
  }
  return all;
}
