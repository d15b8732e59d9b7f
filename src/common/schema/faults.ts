import type { ErrorObject } from 'ajv/dist/2020.js';
import { SLUG_PATTERN, slugify, URL_PATH_PATTERN } from '../text/slug.js';
import { counted } from '../text/counted.js';
import { emailFault } from '../text/email-address.js';
import { nearestName } from '../text/nearest-word.js';
import type { Fault } from '../errors/domain-error.js';
import type { JsonSchema } from './json-schema.js';

/** More than these are of no use, and a body could be made to have a hundred thousand. */
export const MAX_FAULTS = 100;

type Params = Readonly<Record<string, unknown>>;
type Sentence = (name: string, params: Params, error: ErrorObject) => string;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a day of the calendar such as 2026-01-31',
  'date-time': 'a moment with its offset such as 2026-01-31T12:00:00Z',
  iri: 'an absolute address that starts with http://, https:// or mailto:',
};

const KEYWORDS: Readonly<Record<string, readonly [rule: string, sentence: Sentence]>> = {
  type: ['type', (name, { type }) => `${name} must be ${typeNames(type)}.`],
  enum: ['enum', (name, { allowedValues }) => `${name} must be one of: ${choices(allowedValues)}.`],
  minimum: ['min', (name, { limit }) => `${name} must be ${String(limit)} or more.`],
  maximum: ['max', (name, { limit }) => `${name} must be ${String(limit)} or less.`],
  'x-minimum': ['min', (name, _, { schema }) => `${name} must be ${String(schema)} or later.`],
  'x-maximum': ['max', (name, _, { schema }) => `${name} must be ${String(schema)} or earlier.`],
  minLength: ['min_length', (name, { limit }) => `${name} must have ${counted(Number(limit), 'character')} or more.`],
  maxLength: ['max_length', (name, { limit }) => `${name} must have ${counted(Number(limit), 'character')} or fewer.`],
  minItems: ['min_length', (name, { limit }) => `${name} must have ${counted(Number(limit), 'item')} or more.`],
  maxItems: ['max_length', (name, { limit }) => `${name} must have ${counted(Number(limit), 'item')} or fewer.`],
  pattern: ['pattern', (name, { pattern }, { data }) => patternSentence(name, String(pattern), data)],
  format: ['format', (name, { format }, { data }) => `${name} ${formatFault(String(format), data)}`],
  'x-not-blank': ['required', (name) => `${name} must not be blank.`],
  'x-no-controls': ['control', (name) => `${name} must not contain control characters other than tabs and line ends.`],
  'x-no-overrides': [
    'control',
    (name) => `${name} must not contain separators of lines or marks that override the direction of text.`,
  ],
  'x-max-depth': ['depth', (name, _, { schema }) => `${name} is nested deeper than ${String(schema)} levels.`],
  uniqueItems: ['repeated', (name) => `${name} must not name anything twice.`],
  anyOf: ['type', (name, _, { data, schema }) => `${name} ${referenceFault(data, schema)}`],
};

/** @param schema of the choices: an id, or an object with it, whose type is one of some */
function referenceFault(data: unknown, schema: unknown): string {
  const type = (data as { type?: unknown } | null)?.type;
  const allowed = (schema as JsonSchema[]).flatMap(({ properties }) => typesIn(properties));
  if (typeof type !== 'string' || allowed.length === 0 || allowed.includes(type))
    return 'must be the id of a record, or an object with its id and type.';
  return `must be a record of the type ${allowed.join(' or ')}, and not of ${type}.`;
}

function typesIn(properties: unknown): readonly string[] {
  return (properties as { type?: { enum?: readonly string[] } } | undefined)?.type?.enum ?? [];
}

function formatFault(format: string, data: unknown): string {
  return format === 'email' ? emailFault(String(data)) : `must be ${FORMATS[format] ?? format}.`;
}

function patternSentence(name: string, pattern: string, data: unknown): string {
  if (pattern === URL_PATH_PATTERN) {
    return `${name} begins with a slash, and has letters, digits, -, ., _, ~ and {slug}, {id}, {type} or {locale} only; for example /blog/{slug}.`;
  }
  if (pattern !== SLUG_PATTERN) return `${name} must match the pattern ${pattern}.`;
  const proposal = slugify(String(data)) || 'hello-world';
  return `${name} begins with a letter or digit, and has lower-case letters, digits, -, _ and . only; for example ${proposal}.`;
}

export function faultsOf(errors: readonly ErrorObject[], readOnly: ReadonlySet<string>, limit = MAX_FAULTS): Fault[] {
  const choicesTaken = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => `${schemaPath}/`);
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    if (choicesTaken.some((path) => error.schemaPath.startsWith(path))) continue;
    const fault = faultOf(error, readOnly);
    faults.set(`${fault.field} ${fault.rule}`, fault);
    if (faults.size === limit) break;
  }
  return [...faults.values()];
}

function faultOf(error: ErrorObject, readOnly: ReadonlySet<string>): Fault {
  const field = pathOf(error.instancePath);
  const params = error.params as Params;
  if (error.keyword === 'required') return required(join(field, String(params.missingProperty)));
  if (error.keyword === 'additionalProperties') {
    return unknown(field, String(params.additionalProperty), error, readOnly);
  }
  // A field that can do without a value takes null; one that cannot is not of a wrong type but missing.
  if (error.data === null && field !== '') return required(field);
  if (isEmpty(error)) return required(field);
  const [rule, sentence] = KEYWORDS[error.keyword] ?? [error.keyword, (name: string) => `${name} does not fit.`];
  const name = field === '' ? 'The body' : field;
  return { field, rule, message: sentence(name, params, error) };
}

function isEmpty({ keyword, params }: ErrorObject): boolean {
  return (keyword === 'minLength' || keyword === 'minItems') && (params as Params).limit === 1;
}

export function required(field: string): Fault {
  return { field, rule: 'required', message: `${field} is required.` };
}

function unknown(parent: string, name: string, { parentSchema }: ErrorObject, readOnly: ReadonlySet<string>): Fault {
  const field = join(parent, name);
  if (readOnly.has(field))
    return { field, rule: 'read_only', message: `${field} is set by the service and cannot be sent.` };
  const meant = nearestName(name, Object.keys((parentSchema?.properties as object | undefined) ?? {}));
  const hint = meant === null ? '' : ` Did you mean ${join(parent, meant)}?`;
  return { field, rule: 'unknown', message: `${field} is not a field of this body.${hint}` };
}

/** `/tags/3` -> `tags.3` */
function pathOf(pointer: string): string {
  return pointer.slice(1).split('/').map(unescape).join('.');
}

function unescape(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function join(parent: string, key: string): string {
  return parent === '' ? key : `${parent}.${key}`;
}

function typeNames(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]) as unknown[];
  return names
    .map((name) => TYPES[String(name)])
    .filter((name) => name !== undefined)
    .join(' or ');
}

function choices(values: unknown): string {
  return (values as (string | null)[]).filter((value) => value !== null).join(', ');
}
