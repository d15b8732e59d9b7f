import { Injectable } from '@nestjs/common';
import type { TermRow } from '../../taxonomy/terms/term-row.js';
import { slugKey, termSlug } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { Overlay, Parts } from './overlay.js';
import { taxonomyOf } from './record-parts.js';

/** Terms of a part: ids, and names of tags that there were not yet. */
type PlannedTerms = readonly (number | string)[];

/** Finds the terms of overlays as they are by now. */
@Injectable()
export class CopyTerms {
  constructor(private readonly terms: TermsService) {}

  /**
   * The overlay with terms of today: a merged one is what it went into, one that was deleted is left out, and a tag that
   * was made meanwhile has its id.
   */
  async current(overlay: Overlay): Promise<Overlay> {
    const parts = Object.entries(overlay.changes).flatMap(([key, value]) => {
      const taxonomy = taxonomyOf(key);
      if (taxonomy === null) return [];
      return [{ key, taxonomy, value: plannedTerms(value), base: plannedTerms(overlay.bases[key]) }];
    });
    if (parts.length === 0) return overlay;
    const all = parts.flatMap(({ value, base }) => [...value, ...base]);
    const byId = await this.terms.byIds(all.filter((term) => typeof term === 'number'));
    const names = new Map(parts.map(({ taxonomy, value }) => [taxonomy, slugsOf(value)] as const));
    const byName = await this.named(names);
    const current = (taxonomy: string, terms: PlannedTerms): PlannedTerms => [
      ...new Set(
        terms.flatMap((term) =>
          typeof term === 'number' ? idOf(byId.get(term)) : (byName.get(slugKey(taxonomy, termSlug(term)))?.id ?? term),
        ),
      ),
    ];
    const withToday = (kept: Parts, side: 'value' | 'base'): Parts => ({
      ...kept,
      ...Object.fromEntries(parts.map((part) => [part.key, current(part.taxonomy, part[side])])),
    });
    return { changes: withToday(overlay.changes, 'value'), bases: withToday(overlay.bases, 'base') };
  }

  private named(names: ReadonlyMap<string, ReadonlySet<string>>): Promise<ReadonlyMap<string, TermRow>> {
    const asked = new Map([...names].filter(([, slugs]) => slugs.size > 0));
    return asked.size === 0 ? Promise.resolve(new Map()) : this.terms.findAll(asked);
  }
}

/** What is kept of terms: a list of ids and names. */
function plannedTerms(value: unknown): PlannedTerms {
  const terms: readonly unknown[] = Array.isArray(value) ? value : [];
  return terms.filter((term) => typeof term === 'number' || typeof term === 'string');
}

function slugsOf(terms: PlannedTerms): ReadonlySet<string> {
  return new Set(terms.flatMap((term) => (typeof term === 'string' ? termSlug(term) : [])));
}

function idOf(term: TermRow | undefined): number[] {
  return term ? [term.id] : [];
}
