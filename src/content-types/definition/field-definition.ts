import type { Fault } from '../../common/errors/domain-error.js';
import { faultsOf, required } from '../../common/schema/faults.js';
import { compact } from '../../common/schema/json-schema.js';
import { compile } from '../../common/schema/object-validator.js';
import { labelOf } from '../../common/text/names.js';
import type { Field, FieldOptions } from '../kinds/field.js';
import { kindOf, type FieldKind } from '../kinds/kinds.js';
import { MAX_ITEMS } from '../kinds/shared/schemas.js';
import type { PatternBudget } from './pattern-budget.js';

/** A value in the form in which it is checked and stored; other values stay as they are. */
export function canonical({ type, ...shape }: Pick<Field, 'type' | 'of'>, value: unknown): unknown {
  const form = kindOf(type).canonical(shape);
  if (!form) return value;
  const formOf = (item: unknown): unknown => (typeof item === 'string' ? form(item) : item);
  return Array.isArray(value) ? value.map(formOf) : formOf(value);
}

/** The one form in which a valid value is kept, so that equal values are equal texts. */
export function normalise(field: Field, value: unknown): unknown {
  return value === null || value === undefined ? null : kindOf(field.type).normalise(value, field);
}

/** Keys of a record that the service sets. */
export const READ_ONLY_KEYS: ReadonlySet<string> = new Set(
  'id type url version created_at updated_at created_by updated_by'.split(' '),
);

const RESERVED_FIELD_NAMES = new Set([
  ...READ_ONLY_KEYS,
  ...'title slug body status locale published_at terms'.split(' '),
  ...'meta data error q page per_page sort filter fields cursor expand'.split(' '),
  // Refused in every body, so such a field could never be given a value.
  ...'constructor prototype'.split(' '),
]);

function isReservedFieldName(text: string): boolean {
  return RESERVED_FIELD_NAMES.has(text) || text.startsWith('_');
}

/** A field as a client sends it, once its shape has been checked. */
export type FieldInput = Partial<FieldOptions> & {
  readonly id?: string;
  readonly name: string;
  readonly type: FieldKind;
};

/** A field before it is known which one it is. */
export type FieldDraft = FieldOptions & Pick<FieldInput, 'id' | 'name' | 'type'>;

/** The context that the fields of a type share. */
export interface TypeContext {
  readonly typeNames: ReadonlySet<string>;
  readonly patterns: PatternBudget;
}

/** Makes a fault of its place and its subject. */
type Report = (key: string, rule: string, message: string) => Fault;

/** Keys that every field has, or that say no more than leaving them out. */
const ALWAYS: ReadonlySet<string> = new Set(['id', 'name', 'type', 'label', 'description', 'required']);

/** The field with all that was left out filled in. */
export function fieldDraft(input: FieldInput): FieldDraft {
  const draft = compact({
    ...input,
    label: input.label ?? labelOf(input.name),
    required: input.required ?? false,
    unique: input.unique ?? false,
    indexed: input.indexed ?? false,
    searchable: input.searchable ?? false,
    many: input.many === true ? true : undefined,
  }) as unknown as FieldDraft;
  return draft.default === undefined
    ? draft
    : { ...draft, default: normalise(asField(draft), canonical(draft, draft.default)) };
}

/** Every way in which the rules of a field do not fit its kind or each other. */
export function fieldFaults(input: FieldInput, at: string, { typeNames, patterns }: TypeContext): Fault[] {
  const report: Report = (key, rule, message) => ({ field: `${at}.${key}`, rule, message: `${at}.${key} ${message}` });
  const faults = [
    ...nameFaults(input, report),
    ...applicabilityFaults(input, report),
    ...neededFaults(input, at),
    ...rangeFaults(input, report),
    ...lengthFaults(input, report),
    ...patternFaults(input, report, patterns),
    ...repeatedFaults(input, report),
    ...targetFaults(input, report, typeNames),
  ];
  return faults.length > 0 ? faults : defaultFaults(input, at, report);
}

function nameFaults({ name }: FieldInput, report: Report): Fault[] {
  return isReservedFieldName(name)
    ? [report('name', 'reserved', `must not be ${name}: the service uses that name.`)]
    : [];
}

function applicabilityFaults(input: FieldInput, report: Report): Fault[] {
  return Object.entries(input)
    .filter(([key, value]) => value !== false && !ALWAYS.has(key) && !kindOf(input.type).takes(key, input))
    .map(([key]) => report(key, 'not_applicable', `does not apply to a field of the kind ${kindName(input)}.`));
}

function neededFaults(input: FieldInput, at: string): Fault[] {
  const missing = kindOf(input.type)
    .needs(input)
    .filter((key) => input[key] === undefined);
  return missing.map((key) => required(`${at}.${key}`));
}

function rangeFaults(input: FieldInput, report: Report): Fault[] {
  const limits = kindOf(input.type).limits(input);
  if (!limits) return [];
  const wrong = (['min', 'max'] as const).filter((key) => input[key] !== undefined && !limits.isLimit(input[key]));
  if (wrong.length > 0) return wrong.map((key) => report(key, 'type', `must be a value of the kind ${limits.kind}.`));
  const { min, max } = input;
  if (min === undefined || max === undefined || limits.ordinal(min) <= limits.ordinal(max)) return [];
  return [report('min', 'max', 'must not be more than max.')];
}

function lengthFaults({ type, min_length: least = 0, max_length: most }: FieldInput, report: Report): Fault[] {
  if (most === undefined) return [];
  if (kindOf(type).countsItems && most > MAX_ITEMS)
    return [report('max_length', 'max', `must be ${MAX_ITEMS} or less.`)];
  if (most === 0) return [report('max_length', 'min', 'must be 1 or more.')];
  return least > most ? [report('min_length', 'max', 'must not be more than max_length.')] : [];
}

function patternFaults(input: FieldInput, report: Report, patterns: PatternBudget): Fault[] {
  const refusal = patterns.add(input);
  return refusal ? [report('pattern', refusal.rule, refusal.message)] : [];
}

function repeatedFaults(input: FieldInput, report: Report): Fault[] {
  return (['values', 'to'] as const)
    .filter((key) => new Set(input[key]).size < (input[key]?.length ?? 0))
    .map((key) => report(key, 'repeated', 'must not name anything twice.'));
}

function targetFaults({ to = [] }: FieldInput, report: Report, typeNames: ReadonlySet<string>): Fault[] {
  const missing = to.filter((name) => !typeNames.has(name));
  return missing.length === 0
    ? []
    : [report('to', 'type_not_found', `names unknown content types: ${missing.join(', ')}.`)];
}

function defaultFaults(input: FieldInput, at: string, report: Report): Fault[] {
  if (input.default === undefined) return [];
  const key = `${at}.default`;
  if (input.unique === true)
    return [report('default', 'unique', 'makes no sense for a field whose values are unique.')];
  if (input.default === null) return [required(key)];
  const validate = compile({ type: 'object', properties: { [key]: kindOf(input.type).schema(asField(input)) } });
  return faultsOf(validate({ [key]: canonical(input, input.default) }), new Set());
}

/** A field with the rules of a draft, for what does not ask which field it is. */
function asField(input: FieldInput): Field {
  return { label: '', required: false, unique: false, indexed: false, searchable: false, key: 0, ...input, id: '' };
}

function kindName(input: FieldInput): string {
  return kindOf(input.type).title(input) ?? input.type;
}

/** The identity of a field of a type. */
interface Named {
  readonly id?: string;
  readonly name: string;
}

/** The fields of a type that others are to take the place of, in the order of these: known by the id, or else by the name. */
export function matchesOf(known: readonly Field[], fields: readonly Named[]): readonly (Field | undefined)[] {
  const claimed = new Set(fields.map(({ id }) => id));
  return fields.map((field) =>
    known.find(({ id, name }) => (field.id === undefined ? name === field.name && !claimed.has(id) : id === field.id)),
  );
}

/** A field as its definition says, without what is known of its row and its index. */
export function rulesOf({ key: _key, building: _building, retired: _retired, ...rules }: Field) {
  return rules;
}
