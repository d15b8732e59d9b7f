import type { Opened } from '../editor/saving/working-copy.js';
import type { ContentType } from '../model.js';
import type { Change } from './history-queries.js';

/** Parts that all records have, and that a working copy can hold. */
const BUILT_IN = ['title', 'slug', 'body'];

/** A part as a working copy takes it: terms by their ids. */
export interface CopiedPart {
  /** Name of the part: `title`, `summary`, `terms.tag` */
  readonly name: string;
  readonly value: unknown;
}

/** The older value of a change, for a working copy; `null`: a working copy cannot hold it. */
export function copiedPart({ fields, taxonomies }: ContentType, { field, kind, from }: Change): CopiedPart | null {
  if (kind === 'taxonomy') {
    return taxonomies.includes(field) ? { name: `terms.${field}`, value: idsOf(from) } : null;
  }
  if (kind === 'field') return fields.some(({ name }) => name === field) ? { name: field, value: from ?? null } : null;
  return BUILT_IN.includes(field) && typeof from === 'string' ? { name: field, value: from } : null;
}

/** The value of a copied part in the working copy: the same one, another one of its own, or none. */
export function stateOf({ current, draft }: Opened, { name, value }: CopiedPart): 'same' | 'other' | 'free' {
  if (JSON.stringify(current[name] ?? null) === JSON.stringify(value)) return 'same';
  return draft?.changed.includes(name) === true ? 'other' : 'free';
}

/** The part that takes a copied part back: the value that the copy had, or the record. */
export function formerPart({ current }: Opened, { name }: CopiedPart): CopiedPart {
  return { name, value: current[name] ?? null };
}

/** Terms that were deleted since are left out. */
function idsOf(terms: unknown): readonly number[] {
  const all: readonly { readonly id?: unknown }[] = Array.isArray(terms) ? terms : [];
  return all.map(({ id }) => id).filter((id) => typeof id === 'number');
}
