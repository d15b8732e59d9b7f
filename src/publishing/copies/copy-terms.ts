import { Injectable } from '@nestjs/common';
import type { TermRow } from '../../taxonomy/terms/term-row.js';
import { slugKey, termSlug } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { Overlay, Parts } from './overlay.js';
import { taxonomyOf } from './record-parts.js';

/** Terms of a part: ids, and names of tags that there were not yet. */
type PlannedTerms = readonly (number | string)[];

/** What is to become of the terms of a taxonomy. */
interface TermPart {
  readonly key: string;
  readonly taxonomy: string;
  readonly value: PlannedTerms;
  readonly base: PlannedTerms;
}

/** Finds the terms of overlays as they are by now. */
@Injectable()
export class CopyTerms {
  constructor(private readonly terms: TermsService) {}

  /**
   * Overlays with terms of today: a merged one is what it went into, one that was deleted is left out, and a tag that was
   * made meanwhile has its id.
   */
  async current(overlays: readonly Overlay[]): Promise<readonly Overlay[]> {
    const all = overlays.flatMap(termParts);
    if (all.length === 0) return overlays;
    const terms = all.flatMap(({ value, base }) => [...value, ...base]);
    const byId = await this.terms.byIds(terms.filter((term) => typeof term === 'number'));
    const byName = await this.named(all);
    const current = (taxonomy: string, some: PlannedTerms): PlannedTerms => {
      const today = some.flatMap((term) =>
        typeof term === 'number' ? idOf(byId.get(term)) : (byName.get(slugKey(taxonomy, termSlug(term)))?.id ?? term),
      );
      return distinct(today);
    };
    return overlays.map((overlay) => {
      const parts = termParts(overlay);
      const withToday = (kept: Parts, side: 'value' | 'base'): Parts => ({
        ...kept,
        ...Object.fromEntries(parts.map((part) => [part.key, current(part.taxonomy, part[side])])),
      });
      return { changes: withToday(overlay.changes, 'value'), bases: withToday(overlay.bases, 'base') };
    });
  }

  private named(parts: readonly TermPart[]): Promise<ReadonlyMap<string, TermRow>> {
    const asked = new Map<string, Set<string>>();
    for (const { taxonomy, value } of parts) {
      for (const term of value) {
        if (typeof term !== 'string') continue;
        const slugs = asked.get(taxonomy) ?? new Set();
        asked.set(taxonomy, slugs.add(termSlug(term)));
      }
    }
    return asked.size === 0 ? Promise.resolve(new Map()) : this.terms.findAll(asked);
  }
}

/** What is kept of terms: a list of ids and names. */
export function plannedTerms(value: unknown): PlannedTerms {
  const terms: readonly unknown[] = Array.isArray(value) ? value : [];
  return terms.filter((term) => typeof term === 'number' || typeof term === 'string');
}

function termParts({ changes, bases }: Overlay): TermPart[] {
  return Object.entries(changes).flatMap(([key, value]) => {
    const taxonomy = taxonomyOf(key);
    if (taxonomy === null) return [];
    return [{ key, taxonomy, value: plannedTerms(value), base: plannedTerms(bases[key]) }];
  });
}

/** Names that have one slug are one tag. */
function distinct(terms: PlannedTerms): PlannedTerms {
  const bySlug = new Map<number | string, number | string>();
  for (const term of terms) {
    const key = typeof term === 'number' ? term : termSlug(term);
    if (!bySlug.has(key)) bySlug.set(key, term);
  }
  return [...bySlug.values()];
}

function idOf(term: TermRow | undefined): number[] {
  return term ? [term.id] : [];
}
