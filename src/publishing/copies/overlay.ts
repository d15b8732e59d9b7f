import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { RecordState } from '../../records/writing/record-state.js';

/** Parts of a record by their keys: `title`, ids of fields, `terms.tag` and so on. Without a value: `null`. */
export type Parts = Readonly<Record<string, unknown>>;

/** The changed parts of a record. */
export interface Overlay {
  /** The next values of the parts. */
  readonly changes: Parts;
  /** The values that they had when that was decided. */
  readonly bases: Parts;
}

/** The value of a part of a record. */
export type Live = (key: string) => unknown;

/** A part of a record that is to change. */
export interface ChangedPart {
  readonly key: string;
  readonly value: unknown;
  readonly base: unknown;
  /** The present value. */
  readonly live: unknown;
}

export const NO_CHANGES: Overlay = { changes: {}, bases: {} };

/**
 * The overlay with further changes, each based on what the part is now: what was sent again is no conflict any more. A
 * part that is to become what it is leaves the overlay.
 */
export function merged({ changes, bases }: Overlay, live: Live, sent: Parts): Overlay {
  const next: Record<'changes' | 'bases', Record<string, unknown>> = { changes: {}, bases: {} };
  for (const key of new Set([...Object.keys(changes), ...Object.keys(sent)])) {
    const isSent = Object.hasOwn(sent, key);
    const value = (isSent ? sent[key] : changes[key]) ?? null;
    const base = (isSent ? live(key) : bases[key]) ?? null;
    if (isSent && isSameJson(value, base)) continue;
    next.changes[key] = value;
    next.bases[key] = base;
  }
  return next;
}

/** The parts that an overlay changes: those that are by now what they were to become are not among them. */
export function changedParts({ changes, bases }: Overlay, live: Live): ChangedPart[] {
  return Object.entries(changes).flatMap(([key, value]) => {
    const now = live(key) ?? null;
    return isSameJson(value, now) ? [] : [{ key, value, base: bases[key] ?? null, live: now }];
  });
}

/** True if a part has been changed in the record as well as in the overlay. */
export function isConflict({ base, live }: ChangedPart): boolean {
  return !isSameJson(base, live);
}

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

/** True if a key is of a part that every record has. */
function isBuiltIn(key: string): boolean {
  return (BUILT_IN as readonly string[]).includes(key);
}

/** The values of the parts of a record, with the ones of fields that its type has lost. */
export function liveParts({ title, slug, body, values, terms }: RecordState): Live {
  const builtIn: Parts = { title, slug, body };
  return (key) => {
    if (Object.hasOwn(builtIn, key)) return builtIn[key];
    const taxonomy = taxonomyOf(key);
    return taxonomy === null ? values[key] : (terms[taxonomy] ?? []);
  };
}

/** The name of a key in bodies and answers; `null`: the type no longer has it. */
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
