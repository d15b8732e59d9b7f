import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { faultsOf, MAX_FAULTS } from '../../common/schema/faults.js';
import { ObjectValidator } from '../../common/schema/object-validator.js';
import { isReservedName, labelOf, pluralOf } from '../../common/text/names.js';
import type { TypeDefinition, TypeOptions } from './content-type.js';
import { typeInput } from './definition-schema.js';
import {
  fieldDraft,
  fieldFaults,
  type FieldDraft,
  type FieldInput,
  type TypeContext,
  rulesOf,
} from './field-definition.js';
import { PatternBudget } from './pattern-budget.js';

/** The definition that a type is to have. */
export interface TypeDraft {
  readonly name: string;
  readonly options: TypeOptions;
  readonly fields: readonly FieldDraft[];
}

/** The names that a type may refer to. */
export interface KnownNames {
  readonly types: Iterable<string>;
  readonly taxonomies: readonly string[];
}

type TypeInput = Partial<TypeOptions> & { readonly name: string; readonly fields?: readonly FieldInput[] };

type Purpose = 'create' | 'update';

/** Keys of a type that the service sets. */
const READ_ONLY = new Set('id counts version created_at updated_at'.split(' '));
const DEFAULT_KEEP = 100;
const DEFAULTS = { description: '', sitemap: true, body: 'markdown' } as const;

const validators = {
  create: new ObjectValidator(typeInput('create')),
  update: new ObjectValidator(typeInput('update')),
};

/** Compiles what the check of a body needs, piece by piece: the rules as a whole would hold the event loop for 50 ms. */
export function prepareDefinition(body: unknown, purpose: Purpose): Promise<void> {
  return validators[purpose].prepare(body);
}

/**
 * The type that a body defines.
 *
 * @param known what there is to refer to
 * @throws {ValidationError} with every fault at once
 */
export function requireNewType(body: unknown, known: KnownNames): TypeDraft {
  const input = requireShape(body, 'create', known);
  const fields = (input.fields ?? []).map(fieldDraft);
  return { name: input.name, options: optionsOf(input), fields };
}

/**
 * The type that a body makes of another: options that it does not name stay; `fields`, if it is there, is the whole
 * list in its order.
 *
 * @param known what there is to refer to
 * @throws {ValidationError} with every fault at once
 */
export function requireChangedType(body: unknown, before: TypeDefinition, known: KnownNames): TypeDraft {
  const input = requireShape(body, 'update', known, before);
  return {
    name: before.name,
    options: optionsOf({ ...before, ...input }),
    fields: input.fields?.map(fieldDraft) ?? before.fields.map(rulesOf),
  };
}

function requireShape(body: unknown, purpose: Purpose, known: KnownNames, before?: TypeDefinition): TypeInput {
  const shape = faultsOf(validators[purpose].check(body), READ_ONLY, Number.POSITIVE_INFINITY);
  const broken = new Set(shape.map(({ field }) => partOf(field)));
  const sound = soundPartsOf(body, broken);
  const isWhole = (_: unknown, at: number): boolean => !broken.has(`fields.${at}`);
  const faults = [
    ...shape,
    ...nameFaults(sound, before),
    ...pathFaults(sound, before),
    ...taxonomyFaults(sound, known),
    ...fieldsFaults(sound.fields, broken, {
      typeNames: new Set(before ? known.types : [...known.types, sound.name ?? '']),
      patterns: new PatternBudget(before?.fields, sound.fields?.filter(isWhole)),
    }),
    ...identityFaults(sound.fields, before),
  ];
  if (faults.length > 0) throw new ValidationError(faults.slice(0, MAX_FAULTS));
  // The schema has found no fault in it.
  return body as TypeInput;
}

/** `fields.3.values.0` -> `fields.3` */
function partOf(field: string): string {
  const [first = '', second] = field.split('.');
  return first === 'fields' && second !== undefined ? `fields.${second}` : first;
}

/** The parts of a body that have their proper shape: the others cannot be asked whether they make sense. */
function soundPartsOf(body: unknown, broken: ReadonlySet<string>): Partial<TypeInput> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).filter(([key]) => !broken.has(key)));
}

function fieldsFaults(fields: readonly FieldInput[] = [], broken: ReadonlySet<string>, context: TypeContext): Fault[] {
  return fields.flatMap((field, at) => (broken.has(`fields.${at}`) ? [] : fieldFaults(field, `fields.${at}`, context)));
}

function nameFaults({ name }: Partial<TypeInput>, before?: TypeDefinition): Fault[] {
  if (name === undefined) return [];
  if (before && name !== before.name) {
    return [{ field: 'name', rule: 'read_only', message: `The type is called ${before.name} and cannot be renamed.` }];
  }
  if (before || !isReservedName(name)) return [];
  return [{ field: 'name', rule: 'reserved', message: `name must not be ${name}: the service uses that name.` }];
}

/** A path that is there already stays, however it is made. */
function pathFaults({ url_path: path }: Partial<TypeInput>, before?: TypeDefinition): Fault[] {
  if (path === undefined || path === before?.url_path) return [];
  if (!/\{(?:slug|id)\}/.test(path)) return [pathFault('must have {slug} or {id} in it.')];
  const [, ...segments] = path.split('/');
  // A slash at the end is a matter of taste.
  const isEmpty = segments.some((segment, at) => segment === '' && at < segments.length - 1);
  const isRelative = segments.some((segment) => segment === '.' || segment === '..');
  return isEmpty || isRelative ? [pathFault('must not have //, /./ or /../ in it, which browsers fold away.')] : [];
}

function pathFault(message: string): Fault {
  return { field: 'url_path', rule: 'pattern', message: `url_path ${message}` };
}

function taxonomyFaults({ taxonomies = [] }: Partial<TypeInput>, known: KnownNames): Fault[] {
  const unknown = taxonomies.map((name, at) => ({ name, at })).filter(({ name }) => !known.taxonomies.includes(name));
  return unknown.map(({ name, at }) => ({
    field: `taxonomies.${at}`,
    rule: 'taxonomy_not_found',
    message: `taxonomies.${at} is no taxonomy: ${name}. There are ${known.taxonomies.join(', ') || 'none'}.`,
  }));
}

/** Names and ids that stand twice, and ids that belong to no field of the type. */
function identityFaults(fields: readonly FieldInput[] = [], before?: TypeDefinition): Fault[] {
  const known = new Set(before?.fields.map(({ id }) => id));
  return fields.flatMap((field, at) => [
    ...repeated(fields, at, 'name'),
    ...(isText(field, 'id') ? repeated(fields, at, 'id') : []),
    ...(isText(field, 'id') && !known.has(field.id ?? '') ? [unknownId(at)] : []),
  ]);
}

function isText(field: unknown, key: string): boolean {
  return typeof field === 'object' && field !== null && typeof (field as Record<string, unknown>)[key] === 'string';
}

function repeated(fields: readonly FieldInput[], at: number, key: 'id' | 'name'): Fault[] {
  const earlier = fields
    .slice(0, at)
    .some((field) => isText(field, key) && isText(fields[at], key) && field[key] === fields[at]?.[key]);
  return earlier
    ? [{ field: `fields.${at}.${key}`, rule: 'repeated', message: `fields.${at}.${key} stands twice.` }]
    : [];
}

function unknownId(at: number): Fault {
  const message = `fields.${at}.id is no field of this type. Leave it out for a new field.`;
  return { field: `fields.${at}.id`, rule: 'unknown', message };
}

function optionsOf(input: TypeInput): TypeOptions {
  const label = input.label ?? labelOf(input.name);
  const { description, sitemap, body } = { ...DEFAULTS, ...input };
  return {
    label,
    label_plural: input.label_plural ?? pluralOf(label),
    description,
    taxonomies: [...new Set(input.taxonomies)],
    url_path: input.url_path ?? `/${input.name}/{slug}`,
    sitemap,
    body,
    revisions: { keep: input.revisions?.keep ?? DEFAULT_KEEP },
  };
}
