import { Injectable } from '@nestjs/common';
import type { Fault } from '../../common/errors/domain-error.js';
import type { RecordBody } from '../../content-types/definition/content-type.js';
import type { TermRow } from '../../taxonomy/terms/term-row.js';
import { slugKey, termSlug, slugsOf } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import { taxonomyOf, type Overlay, type Parts } from './overlay.js';

/** Terms of a part: ids, and names of tags that there were not yet. */
type PlannedTerms = readonly (number | string)[];

/** The change of the terms of a taxonomy. */
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
   * Overlays with terms of today: a merged one is what it went into, and a tag that was made meanwhile has its id. One
   * that was deleted is left out if the record had it; one that the overlay adds stays, and is a fault.
   */
  async current(overlays: readonly Overlay[]): Promise<readonly Overlay[]> {
    const all = overlays.flatMap(termParts);
    if (all.length === 0) return overlays;
    const terms = all.flatMap(({ value, base }) => [...value, ...base]);
    const byId = await this.terms.byIds(terms.filter((term) => typeof term === 'number'));
    const byName = await this.named(all);
    const current = ({ taxonomy, ...part }: TermPart, side: 'value' | 'base'): PlannedTerms => {
      const today = part[side].flatMap((term) => {
        if (typeof term === 'string') return byName.get(slugKey(taxonomy, termSlug(term)))?.id ?? term;
        return byId.get(term)?.id ?? (part.base.includes(term) ? [] : term);
      });
      return distinct(today);
    };
    return overlays.map((overlay) => {
      const parts = termParts(overlay);
      const withToday = (kept: Parts, side: 'value' | 'base'): Parts => ({
        ...kept,
        ...Object.fromEntries(parts.map((part) => [part.key, current(part, side)])),
      });
      return { changes: withToday(overlay.changes, 'value'), bases: withToday(overlay.bases, 'base') };
    });
  }

  /** The faults of terms that are gone. @param body with terms of today */
  async faults({ terms = {} }: RecordBody): Promise<readonly Fault[]> {
    const wanted = Object.entries(terms as Readonly<Record<string, PlannedTerms>>).flatMap(([taxonomy, own]) =>
      own.flatMap((term, at) => (typeof term === 'number' ? [{ taxonomy, id: term, at }] : [])),
    );
    const found = await this.terms.byIds(wanted.map(({ id }) => id));
    return wanted.filter(({ id }) => !found.has(id)).map(goneTerm);
  }

  private named(parts: readonly TermPart[]): Promise<ReadonlyMap<string, TermRow>> {
    const asked = slugsOf(
      parts.flatMap(({ taxonomy, value }) =>
        value.flatMap((term) => (typeof term === 'string' ? [[taxonomy, termSlug(term)] as const] : [])),
      ),
    );
    return asked.size === 0 ? Promise.resolve(new Map()) : this.terms.findAll(asked);
  }
}

/** The stored form of terms: a list of ids and names. */
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

function goneTerm({ taxonomy, id, at }: { taxonomy: string; id: number; at: number }): Fault {
  const field = `terms.${taxonomy}.${at}`;
  return {
    field,
    rule: 'term_not_found',
    message: `${field} is no ${taxonomy} any more: ${id}. Choose the terms again.`,
  };
}
