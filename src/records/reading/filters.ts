import type { DomainError } from '../../common/errors/domain-error.js';
import { head } from '../../common/text/fold.js';
import { nearestName } from '../../common/text/nearest-word.js';
import { invalidQuery } from '../../common/http/url-query.js';
import { STATUSES, type CompiledType } from '../../content-types/definition/content-type.js';
import {
  BOOLEANS,
  indexText,
  MAX_INDEXED_LENGTH,
  NUMBERS,
  TEXTS,
  TIMES,
  type Comparison,
} from '../../content-types/kinds/shared/comparisons.js';
import { BUILT_IN_KEYS } from '../rows/record-views.js';
import { BUILT_IN_PROPERTIES, propertyOf, type Property, type ValueKind } from './properties.js';

export type Op = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'nin' | 'contains' | 'starts' | 'exists' | 'under';

/** One condition on the records of a list. */
export interface Filter {
  readonly property: Property;
  readonly op: Op;
  /** One value, or several for `in` and `nin`; 1 or 0 for `exists`. */
  readonly values: readonly (string | number)[];
}

interface FilterParameter {
  /** As it stands in the query: `filter[rating][gte]`. */
  readonly parameter: string;
  readonly field: string;
  readonly op: string;
  readonly value: string;
}

const OPS: readonly Op[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'contains', 'starts', 'exists', 'under'];
const TEXT_ONLY = new Set<Op>(['contains', 'starts']);
const FOR_TERMS = new Set<Op>(['eq', 'ne', 'in', 'nin', 'exists', 'under']);
const SEVERAL = new Set<Op>(['in', 'nin']);
/** The operators that ask of several values what another one asks of one. */
const SEVERAL_OF: Partial<Record<Op, Op>> = { eq: 'in', in: 'in', ne: 'nin', nin: 'nin' };
const MAX_VALUES = 100;
/** One less than the index holds, so that the head of a longer text is never taken for the whole of a shorter one. */
const MAX_COMPARED = MAX_INDEXED_LENGTH - 1;

/** @throws {DomainError} `invalid_query`: no such field, operator or value */
export function filterOf(type: CompiledType, { parameter, field, op: opText, value }: FilterParameter): Filter {
  const property = propertyOf(type, field);
  if (!property) throw unknownProperty(type, parameter, field);
  const op = OPS.find((known) => known === opText);
  if (!op) throw invalidQuery(parameter, 'operator', `Unknown operator ${opText}. Use ${OPS.join(', ')}.`);
  requireFitting(parameter, property, op);
  return withCanonicalForms({ property, op, values: valuesOf(parameter, property, op, value) });
}

/** The reason why a list can neither be filtered nor sorted by a name. */
export function unknownProperty(type: CompiledType, parameter: string, name: string): DomainError {
  if (BUILT_IN_KEYS.has(name))
    return invalidQuery(parameter, 'unknown', `Lists are neither filtered nor sorted by ${name}.`);
  if (type.fieldsByName.get(name)?.building === true)
    return invalidQuery(parameter, 'unknown', `The index of ${name} is being built. Try again later.`);
  if (type.fieldsByName.has(name))
    return invalidQuery(
      parameter,
      'unknown',
      `${name} is not indexed. Set "indexed": true on this field of ${type.name}.`,
    );
  const meant = nearestName(name, [
    ...BUILT_IN_PROPERTIES.map((own) => own.name),
    ...type.fieldsByName.keys(),
    ...type.taxonomies,
  ]);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return invalidQuery(parameter, 'unknown', `${type.name} has no field ${head(name, 50)}.${hint}`);
}

/** A filter on what is equal asks for the kept form as well as for the one that was sent. */
function withCanonicalForms(filter: Filter): Filter {
  const { property, op, values } = filter;
  const { canonical } = property;
  const several = SEVERAL_OF[op];
  if (!canonical || !several) return filter;
  const forms = [...new Set(values.flatMap((value) => [value, canonical(String(value))]))];
  return forms.length === values.length ? { ...filter, values: forms } : { property, op: several, values: forms };
}

function requireFitting(parameter: string, { name, kind }: Property, op: Op): void {
  if (kind === 'term' && !FOR_TERMS.has(op)) {
    throw invalidQuery(parameter, 'operator', `${op} is not for terms. Use ${[...FOR_TERMS].join(', ')}.`);
  }
  if (kind !== 'term' && op === 'under') {
    throw invalidQuery(parameter, 'operator', `under is for taxonomies, and ${name} is none.`);
  }
  if (TEXT_ONLY.has(op) && kind !== 'text') {
    throw invalidQuery(parameter, 'operator', `${op} is for texts, and ${name} is none.`);
  }
}

function valuesOf(parameter: string, property: Property, op: Op, text: string): (string | number)[] {
  if (op === 'exists') return [valueOf(parameter, { kind: 'boolean' }, text)];
  const { kind, fieldKey, folded = (one) => one } = property;
  const texts = (SEVERAL.has(op) ? separated(text) : [text]).map(folded);
  if (texts.length > MAX_VALUES) throw invalidQuery(parameter, 'max', `Send at most ${MAX_VALUES} values.`);
  requireChoice(parameter, property, op, texts);
  const values = texts.map((one) => valueOf(parameter, property, one));
  if (kind === 'text' && fieldKey !== null) requireComparable(parameter, texts);
  return TEXT_ONLY.has(op)
    ? values
    : values.map((value) => (typeof value === 'string' ? compared(value, fieldKey) : value));
}

/** A comma, what a backslash keeps in a part, or a stretch without either. */
const PIECE = /\\([\\,])|,|[^\\,]+|\\/g;

/**
 * The parts between commas: `a,b\,c` -> `a`, `b,c`. A backslash keeps a comma or another backslash in a part;
 * before anything else it stands for itself.
 */
function separated(text: string): string[] {
  const parts = [''];
  for (const [piece, kept] of text.matchAll(PIECE)) {
    if (piece === ',') parts.push('');
    else parts.push((parts.pop() ?? '') + (kept ?? piece));
  }
  return parts;
}

/** @throws {DomainError} `invalid_query`: the index ends before the text does, so it cannot decide what is equal */
function requireComparable(parameter: string, texts: readonly string[]): void {
  if (texts.every((text) => Array.from(text).length <= MAX_COMPARED)) return;
  throw invalidQuery(parameter, 'max', `Send at most ${MAX_COMPARED} characters: the index holds no more of a text.`);
}

/** Databases disagree on spaces at the end of a whole text, so none of them counts. */
function compared(text: string, fieldKey: number | null): string {
  return fieldKey === null ? withoutSpacesAtEnd(text) : indexText(text);
}

/** A pattern would look at each space of a long row of them again and again. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

function valueOf(parameter: string, { kind, parse }: Pick<Property, 'kind' | 'parse'>, text: string): string | number {
  const value = (parse ?? PARSERS[kind])(text);
  if (value !== null) return value;
  const wanted = kind === 'number' ? 'number that is kept exactly' : kind;
  throw invalidQuery(parameter, kind, `"${head(text, 50)}" is not a ${wanted}.`);
}

/** @throws {DomainError} `invalid_query`: no record can have the value */
function requireChoice(parameter: string, { name, choices }: Property, op: Op, texts: readonly string[]): void {
  const other = choices && texts.find((text) => !choices.includes(text));
  if (other === undefined || SEVERAL_OF[op] === undefined) return;
  throw invalidQuery(parameter, 'enum', `${name} is never "${head(other, 50)}". Use ${choices?.join(', ') ?? ''}.`);
}

const PARSERS: Readonly<Record<ValueKind, Comparison['parse']>> = {
  text: TEXTS.parse,
  term: TEXTS.parse,
  status: (text) => STATUSES.find((status) => status === text) ?? null,
  number: NUMBERS.parse,
  boolean: BOOLEANS.parse,
  time: TIMES.parse,
};
