import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { RecordState } from '../../records/writing/record-state.js';
import type { Live, Overlay, Parts } from './overlay.js';

const TERMS = 'terms.';
const BUILT_IN = ['title', 'slug', 'body'] as const;

/** The key of the terms of a taxonomy. */
export function termsKey(taxonomy: string): string {
  return TERMS + taxonomy;
}

/** The taxonomy that a key is of; `null`: it is of something else. */
export function taxonomyOf(key: string): string | null {
  return key.startsWith(TERMS) ? key.slice(TERMS.length) : null;
}

/** Whether a key is of a part that every record has. */
function isBuiltIn(key: string): boolean {
  return (BUILT_IN as readonly string[]).includes(key);
}

/** What the parts of a record hold, those of fields that its type has lost included. */
export function liveParts({ title, slug, body, values, terms }: RecordState): Live {
  const builtIn: Parts = { title, slug, body };
  return (key) => {
    if (Object.hasOwn(builtIn, key)) return builtIn[key];
    const taxonomy = taxonomyOf(key);
    return taxonomy === null ? values[key] : (terms[taxonomy] ?? []);
  };
}

/** What a key is called in bodies and answers; `null`: the type has it no more. */
export function nameOf({ fields, taxonomies }: CompiledType, key: string): string | null {
  if (isBuiltIn(key)) return key;
  const taxonomy = taxonomyOf(key);
  if (taxonomy !== null) return taxonomies.includes(taxonomy) ? key : null;
  return fields.find(({ id }) => id === key)?.name ?? null;
}

/** The overlay without parts that the type has lost. */
export function withKnown(type: CompiledType, { changes, bases }: Overlay): Overlay {
  const known = (parts: Parts): Parts =>
    Object.fromEntries(Object.entries(parts).filter(([key]) => nameOf(type, key) !== null));
  return { changes: known(changes), bases: known(bases) };
}

/**
 * The parts of a body that fits the type.
 *
 * @param terms those of the body, by taxonomy, as ids and as names of tags that there are not yet
 */
export function sentParts(
  { fieldsByName }: CompiledType,
  { terms: _, ...body }: RecordBody,
  terms: Readonly<Record<string, readonly (number | string)[]>>,
): Parts {
  return Object.fromEntries([
    ...Object.entries(body).map(([name, value]) => [fieldsByName.get(name)?.id ?? name, value] as const),
    ...Object.entries(terms).map(([taxonomy, own]) => [termsKey(taxonomy), own] as const),
  ]);
}
