import { CmsError } from '@content-service/client';
import type { ContentRecord, Draft, Fault } from '../../model.js';

const TERMS = 'terms.';

type Parts = Readonly<Record<string, unknown>>;

/** The part of a record that a fault is about: `tags.2` -> `tags`, `terms.tag.0` -> `terms.tag` */
export function partOf(field: string): string {
  return field
    .split('.')
    .slice(0, field.startsWith(TERMS) ? 2 : 1)
    .join('.');
}

/** The taxonomy of which a part has the terms; `null`: it has others. */
export function taxonomyOf(part: string): string | null {
  return part.startsWith(TERMS) ? part.slice(TERMS.length) : null;
}

/** Faults of values in a refused request. */
export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof CmsError)) return [];
  if (error.code === 'slug_taken') return [{ field: 'slug', rule: 'slug_taken', message: error.message }];
  return error.details.flatMap(({ field, rule = '', message = '' }) =>
    field === undefined ? [] : [{ field, rule, message }],
  );
}

/** The same faults without those that are there twice. */
export function onceEach(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.field} ${fault.message}`, fault])).values()];
}

/**
 * A record as an editor holds it: the terms of each taxonomy are a part of their own (`terms.tag`), a list of ids, and of
 * names of those that are not made yet.
 */
export function withTermParts(record: ContentRecord, draft: Draft | null = null): ContentRecord {
  const parts = Object.entries(record.terms ?? {}).map(([taxonomy, terms]) => [
    TERMS + taxonomy,
    [...terms.map(({ id }) => id), ...(draft?.new_terms?.[taxonomy] ?? [])],
  ]);
  return { ...record, ...(Object.fromEntries(parts) as Parts) };
}

/** The body of a request that writes parts. */
export function bodyOf(values: Parts): Parts {
  const parts = Object.entries(values);
  const terms = parts.filter(([name]) => name.startsWith(TERMS));
  if (terms.length === 0) return values;
  return {
    ...Object.fromEntries(parts.filter(([name]) => !name.startsWith(TERMS))),
    terms: Object.fromEntries(terms.map(([name, value]) => [name.slice(TERMS.length), value])),
  };
}
