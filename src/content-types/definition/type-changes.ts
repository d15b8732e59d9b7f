import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../kinds/field.js';
import { kindOf } from '../kinds/kinds.js';
import { sharesAddresses } from './addresses.js';
import type { TypeDefinition } from './content-type.js';
import type { TypeDraft } from './definition.js';
import { type FieldDraft, matchesOf, rulesOf } from './field-definition.js';
import { ignoresCase, needsIndex } from './field-index.js';

/** A field that stays, as it was and as it is to be. */
export interface KeptField {
  readonly before: Field;
  readonly after: Field;
  /** Place in the new list. */
  readonly position: number;
}

/** A field that comes, and its place in the new list. */
export interface AddedField {
  readonly draft: FieldDraft;
  readonly position: number;
}

/** The changes of a type by a draft. */
export interface TypeChanges {
  readonly kept: readonly KeptField[];
  readonly added: readonly AddedField[];
  readonly removed: readonly Field[];
  /** Taxonomies of which records have no terms any more. */
  readonly removedTaxonomies: readonly string[];
  /** True if records that had addresses of their own may have one together. */
  readonly joinsAddresses: boolean;
  /** True if a record that was written by the former type would be wrong by the new one. */
  readonly outdatesWrites: boolean;
  readonly isEmpty: boolean;
}

/** Rules that say which values fit. */
const VALUE_RULES = [
  'type',
  'required',
  'min',
  'max',
  'min_length',
  'max_length',
  'pattern',
  'values',
  'of',
  'to',
  'many',
] as const satisfies readonly (keyof Field)[];

/** Compares a type with what it is to become. A field is known by its id, or else by its name. */
export function changesOf(before: TypeDefinition, draft: TypeDraft): TypeChanges {
  const matches = matchesOf(before.fields, draft.fields);
  const kept = draft.fields.flatMap((field, position) => {
    const match = matches[position];
    return match ? [{ before: match, after: keptAs(match, field), position }] : [];
  });
  const added = draft.fields.flatMap((field, position) => (matches[position] ? [] : [{ draft: field, position }]));
  const removed = before.fields.filter((field) => !matches.includes(field));
  const removedTaxonomies = before.taxonomies.filter((name) => !draft.options.taxonomies.includes(name));
  const joinsAddresses = sharesAddresses(draft.options) && !sharesAddresses(before);
  const outdatesWrites =
    removed.length + removedTaxonomies.length > 0 ||
    before.url_path !== draft.options.url_path ||
    before.sitemap !== draft.options.sitemap ||
    kept.some(isHeldOtherwise) ||
    added.some((field) => needsIndex(field.draft) || field.draft.required);
  return { kept, added, removed, removedTaxonomies, joinsAddresses, outdatesWrites, isEmpty: isSame(before, draft) };
}

/** Tells whether a value that is written by the former rules may be invalid, or held in another way, by the new ones. */
function isHeldOtherwise(field: KeptField): boolean {
  const { before, after } = field;
  return mayNarrow(field) || needsBuild(field) || needsDrop(field) || before.searchable !== after.searchable;
}

/** Tells whether a value that was good may not be good any more. */
export function mayNarrow({ before, after }: KeptField): boolean {
  return VALUE_RULES.some((rule) => !isEqual(before[rule], after[rule]));
}

/** Tells whether the rows in the side index have to be written anew. */
export function needsBuild({ before, after }: KeptField): boolean {
  if (!needsIndex(after)) return false;
  return !needsIndex(before) || comparesOtherwise(before, after) || before.building === true;
}

function comparesOtherwise(before: Field, after: Field): boolean {
  const was = kindOf(before.type).comparison(before);
  const is = kindOf(after.type).comparison(after);
  const isInOtherColumn = was.column !== is.column || was.key !== is.key;
  return isInOtherColumn || before.unique !== after.unique || ignoresCase(before) !== ignoresCase(after);
}

/** Tells whether the rows in the side index have to go. */
export function needsDrop({ before, after }: KeptField): boolean {
  return needsIndex(before) && !needsIndex(after);
}

function keptAs(before: Field, draft: FieldDraft): Field {
  const retired = retiredBy(before, draft);
  return { ...draft, key: before.key, id: before.id, ...(retired.length > 0 ? { retired } : {}) };
}

function retiredBy({ values = [], retired = [] }: Field, { values: chosen = [] }: FieldDraft): string[] {
  return [...new Set([...retired, ...values])].filter((value) => !chosen.includes(value));
}

function isSame(before: TypeDefinition, { options, fields }: TypeDraft): boolean {
  const { id: _id, name: _name, fields: known, version: _v, stamp: _s, isWatched: _w, ...settings } = before;
  const { created_at: _c, updated_at: _u, ...rules } = settings;
  const shape = known.map(rulesOf).map(({ id: _fieldId, ...field }) => field);
  const wanted = fields.map(({ id: _draftId, ...field }) => field);
  const hasSameIds = fields.every(({ id }, at) => id === undefined || id === known[at]?.id);
  return hasSameIds && isEqual(rules, options) && isEqual(shape, wanted);
}

/** Tells whether two values are the same once they are stored. */
function isEqual(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(stored(a), stored(b));
}

function stored(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
