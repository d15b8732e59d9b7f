import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { Rollback } from './rollback-values.js';
import type { Snapshot, SnapshotTerm } from '../snapshots/snapshot.js';

/** Terms by taxonomy: as a body names them, and as they will be shown. */
export interface OldTerms {
  /** `null`: nothing is to change. */
  readonly input: Readonly<Record<string, readonly (string | number)[]>> | null;
  readonly shown: Snapshot['terms'];
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
    for (const taxonomy of type.taxonomies.filter((name) => selection.hasTaxonomy(name))) {
      const found = await this.found(rollback, taxonomy, snapshot.terms[taxonomy] ?? []);
      if (isDeepStrictEqual([...found.keys()], present.terms[taxonomy] ?? [])) continue;
      input[taxonomy] = [...found.keys()];
      shown[taxonomy] = [...found.values()];
    }
    const removed = Object.keys(snapshot.terms).filter((name) => !type.taxonomies.includes(name));
    for (const taxonomy of removed.filter((name) => selection.hasTaxonomy(name)))
      notes.skip(taxonomy, 'taxonomy_removed');
    return { input: Object.keys(input).length === 0 ? null : input, shown };
  }

  /** By id, also where it was merged; by slug; a tag as a new one. What cannot be found is noted. */
  private async found(
    { notes }: Rollback,
    taxonomy: string,
    old: readonly SnapshotTerm[],
  ): Promise<ReadonlyMap<string | number, SnapshotTerm>> {
    const byId = await this.terms.byIds(old.map(({ id }) => id));
    const canCreate = (await this.taxonomies.find(taxonomy))?.isHierarchical === false;
    const all = new Map<string | number, SnapshotTerm>();
    for (const term of old) {
      const own = byId.get(term.id);
      const other = own?.taxonomy === taxonomy ? own : await this.terms.find(taxonomy, term.slug);
      if (other) all.set(other.id, { id: other.id, slug: other.slug, name: other.name });
      else if (canCreate) all.set(term.name, term);
      else notes.skip(taxonomy, 'term_gone', term.slug);
    }
    return all;
  }
}
