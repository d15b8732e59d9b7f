import { idOf } from '../../common/text/names.js';
import { MAX_FAULTS, type Fault } from '../../common/errors/domain-error.js';
import { hasLineControls } from '../../common/text/one-line.js';
import { composed } from '../../common/text/slug.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { termSlug } from '../terms/term-slug.js';

/** Terms that a record may have of one taxonomy. */
export const MAX_TERMS = 100;
const MAX_NAME_LENGTH = 255;

/** Terms by taxonomy, as a body names them: an id, a slug, or the name of a tag. */
export type WantedTerms = Readonly<Record<string, readonly (string | number)[]>>;

/** One term that a record is to have. */
export interface WantedTerm {
  readonly taxonomy: string;
  /** The name of its place in the body: `terms.tag.0` */
  readonly field: string;
  readonly text: string;
  readonly id: number | null;
  /** A number is an id first; digits in a text are a slug first, since many a tag is called "2024". */
  readonly isIdFirst: boolean;
  /** Slugs that it may mean, the likeliest first. */
  readonly slugs: readonly string[];
  /** True if it is created when there is none: a name in a taxonomy without a tree. */
  readonly isCreatable: boolean;
}

/** The terms that a body names, one by one, and its faults that show before any term is looked up. */
export function wantedTerms(
  wanted: WantedTerms,
  taxonomies: ReadonlyMap<string, Taxonomy>,
): { terms: WantedTerm[]; faults: Fault[] } {
  const [terms, faults]: [WantedTerm[], Fault[]] = [[], []];
  for (const [name, references] of Object.entries(wanted)) {
    if (faults.length >= MAX_FAULTS) break;
    const field = `terms.${name}`;
    const taxonomy = taxonomies.get(name);
    if (!taxonomy) faults.push(unknownTaxonomy(field, taxonomies));
    else if (references.length > MAX_TERMS) faults.push(tooMany(field));
    else {
      const all = references.map((reference, at) => wantedTerm(taxonomy, `${field}.${at}`, reference));
      terms.push(...all);
      faults.push(...all.flatMap(textFaults));
    }
  }
  return { terms, faults };
}

export function notFound({ field, taxonomy, text }: WantedTerm): Fault {
  return { field, rule: 'term_not_found', message: `${field} is no ${taxonomy}: "${text}". Create it first.` };
}

function wantedTerm({ name, isHierarchical }: Taxonomy, field: string, reference: string | number): WantedTerm {
  const text = String(reference).trim();
  const isName = !isHierarchical && typeof reference === 'string';
  return {
    taxonomy: name,
    field,
    text,
    id: idOf(text),
    isIdFirst: typeof reference === 'number',
    slugs: isName ? [...new Set([composed(text), termSlug(text)])] : [composed(text)],
    isCreatable: isName,
  };
}

function textFaults({ field, text }: WantedTerm): Fault[] {
  if (text === '') return [{ field, rule: 'required', message: `${field} is required.` }];
  if (Array.from(text).length > MAX_NAME_LENGTH) {
    return [{ field, rule: 'max_length', message: `${field} must have ${MAX_NAME_LENGTH} characters or fewer.` }];
  }
  if (!hasLineControls(text)) return [];
  return [{ field, rule: 'pattern', message: `${field} must stand on one line.` }];
}

function unknownTaxonomy(field: string, taxonomies: ReadonlyMap<string, Taxonomy>): Fault {
  const known = taxonomies.size === 0 ? 'It has none' : `It has ${[...taxonomies.keys()].join(', ')}`;
  return { field, rule: 'unknown', message: `${field} is no taxonomy of this type. ${known}.` };
}

function tooMany(field: string): Fault {
  return { field, rule: 'max_length', message: `${field} must have ${MAX_TERMS} items or fewer.` };
}
