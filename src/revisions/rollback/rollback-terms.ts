import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import type { TermRow } from '../../taxonomy/terms/term-row.js';
import { slugKey } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { Rollback } from './rollback-values.js';
import type { Snapshot, SnapshotTerm } from '../snapshots/snapshot.js';

/** Terms by taxonomy: as a body names them, and as they will be shown. */
export interface OldTerms {
  /** `null`: nothing is to change. */
  readonly input: Readonly<Record<string, readonly (string | number)[]>> | null;
  readonly shown: Snapshot['terms'];
}

/** A term of an old state, and the one in its place by now. */
interface Place {
  readonly was: SnapshotTerm;
  readonly is: TermRow | undefined;
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
    const shown: Record<string, readonly SnapshotTerm[]> = {};
    const names = type.taxonomies.filter((name) => selection.hasTaxonomy(name));
    const all = await this.inPlaceOf(names.map((name) => [name, snapshot.terms[name] ?? []]));
    for (const [taxonomy, terms] of all) {
      const found = await this.found(rollback, taxonomy, terms);
      if (isDeepStrictEqual([...found.keys()], present.terms[taxonomy] ?? [])) continue;
      input[taxonomy] = [...found.keys()];
      shown[taxonomy] = [...found.values()];
    }
    const removed = Object.keys(snapshot.terms).filter((name) => !type.taxonomies.includes(name));
    for (const taxonomy of removed.filter((name) => selection.hasTaxonomy(name)))
      notes.skip(taxonomy, 'taxonomy_removed');
    return { input: Object.keys(input).length === 0 ? null : input, shown };
  }

  /** What is in the place of old terms, taxonomy by taxonomy: found by id, also where it was merged, and else by slug. */
  private async inPlaceOf(
    old: readonly (readonly [taxonomy: string, terms: readonly SnapshotTerm[]])[],
  ): Promise<readonly (readonly [taxonomy: string, terms: readonly Place[]])[]> {
    const byId = await this.terms.byIds(old.flatMap(([, terms]) => terms.map(({ id }) => id)));
    const own = (taxonomy: string, id: number) => {
      const term = byId.get(id);
      return term?.taxonomy === taxonomy ? term : undefined;
    };
    const gone = old.map(([taxonomy, terms]) => {
      const slugs = terms.filter(({ id }) => !own(taxonomy, id)).map(({ slug }) => slug);
      return [taxonomy, new Set(slugs)] as const;
    });
    const bySlug = await this.terms.findAll(new Map(gone.filter(([, slugs]) => slugs.size > 0)));
    return old.map(([taxonomy, terms]) => {
      const places = terms.map((was) => ({
        was,
        is: own(taxonomy, was.id) ?? bySlug.get(slugKey(taxonomy, was.slug)),
      }));
      return [taxonomy, places] as const;
    });
  }

  /** The terms that are there, and as new ones the tags that are not. What cannot be found is noted. */
  private async found(
    { notes }: Rollback,
    taxonomy: string,
    terms: readonly Place[],
  ): Promise<ReadonlyMap<string | number, SnapshotTerm>> {
    const canCreate = (await this.taxonomies.find(taxonomy))?.isHierarchical === false;
    const all = new Map<string | number, SnapshotTerm>();
    for (const { was, is } of terms) {
      if (is) all.set(is.id, { id: is.id, slug: is.slug, name: is.name });
      else if (canCreate) all.set(was.name, was);
      else notes.skip(taxonomy, 'term_gone', was.slug);
    }
    return all;
  }
}
