import type { OpenAPIV3_1 } from 'openapi-types';
import { inPath, objectOf, parameterRef, query, schemaRef } from '../../common/openapi/describe.js';
import type { TypeNames } from '../../common/openapi/type-names.js';
import { STATUSES, type CompiledType } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import { recordSchema } from '../../content-types/definition/record-schema.js';
import { pascalCase } from '../../common/openapi/error-components.js';
import { BUILT_IN_PROPERTIES, propertyOf, type Property, type ValueKind } from '../reading/properties.js';

type Schema = OpenAPIV3_1.SchemaObject;
type Parameter = OpenAPIV3_1.ParameterObject;
type Reference = OpenAPIV3_1.ReferenceObject;

/** The form of the values of each kind in a filter. */
const VALUES: Readonly<Record<ValueKind, Schema>> = {
  number: { type: 'number' },
  text: { type: 'string' },
  time: { type: 'string', description: 'ISO 8601: `2026-03-14` or `2026-03-14T09:26:53Z`.' },
  boolean: { type: 'boolean' },
  status: { type: 'string', enum: [...STATUSES] },
  term: { type: 'string', description: 'The id or the slug of a term.' },
};

const COMPARISONS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'];
/** Operators that take one value, where they are others than those of all kinds. */
const OPERATORS: Readonly<Partial<Record<ValueKind, readonly string[]>>> = {
  text: [...COMPARISONS, 'contains', 'starts'],
  term: ['eq', 'ne', 'under'],
};

/** A client that builds one object of parameters writes no lists into it: several values are one text. */
const SEVERAL: Schema = {
  type: 'string',
  description: 'Up to 100 values with commas between them; `\\,` is a comma in one.',
};

const schemaName = (kind: ValueKind): string => `${pascalCase(kind)}Filter`;

/** The operators of a value, by its kind. */
export const FILTER_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  (Object.keys(VALUES) as ValueKind[]).map((kind) => [schemaName(kind), filterSchema(kind)]),
);

function filterSchema(kind: ValueKind): Schema {
  const operators = OPERATORS[kind] ?? COMPARISONS;
  const ofOne = Object.fromEntries(operators.map((operator) => [operator, VALUES[kind]]));
  return objectOf(
    { ...ofOne, in: SEVERAL, nin: SEVERAL, exists: { type: 'boolean' } },
    { required: [], description: 'Conditions on one value; all that are sent must hold.' },
  );
}

const parameterName = (name: string): string => `Filter${pascalCase(name)}`;

/** Filters that every list of records takes. */
const FILTER_PARAMETERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  BUILT_IN_PROPERTIES.map((property) => [parameterName(property.name), filterParameter(property)]),
);

/** One parameter for each property that a list can be filtered by: `filter[title]`, with its operators. */
function filterParameters(type: CompiledType): (Parameter | Reference)[] {
  return [
    ...BUILT_IN_PROPERTIES.map(({ name }) => ({ $ref: `#/components/parameters/${parameterName(name)}` })),
    ...ownProperties(type).map(filterParameter),
  ];
}

/** The keys that a list of the type can be sorted by. */
function sortableNames(type: CompiledType): string[] {
  return [...BUILT_IN_PROPERTIES, ...ownProperties(type)]
    .filter(({ isSortable }) => isSortable)
    .map(({ name }) => name);
}

/** A taxonomy that is called like a field cannot be filtered by: the field goes first. */
function ownProperties(type: CompiledType): Property[] {
  const names = new Set([...type.fields.map(({ name }) => name), ...type.taxonomies]);
  return [...names].flatMap((name) => propertyOf(type, name) ?? []);
}

function filterParameter({ name, kind, folded }: Property): Parameter {
  return {
    name: `filter[${name}]`,
    in: 'query',
    ...(folded ? { description: 'Upper and lower case are the same.' } : {}),
    style: 'deepObject',
    explode: true,
    // Without one, the page of the documentation fills in every operator and sends them all.
    example: {},
    schema: schemaRef(schemaName(kind)),
  };
}

/** Parameters that the routes of all types share, by the names that they have in the document. */
export const RECORD_PARAMETERS = {
  RecordId: inPath('id', 'The id, or `slug:` and the slug: `slug:hello-world`.', {
    type: 'string',
    pattern: '^(?:\\d{1,16}|slug:.+)$',
  }),
  Permanent: query('permanent', 'Delete for good instead of putting it into the trash.', {
    type: 'boolean',
    default: false,
  }),
  Locale: query(
    'locale',
    'Which one, if several languages have the slug: `slug:hello?locale=pt-BR`. Without it English, then the oldest.',
  ),
  Status: several('status', 'Only records of these statuses.', [...STATUSES]),
  Cursor: query(
    'cursor',
    'The `next_cursor` of the list so far, in place of `page`: however deep, as quick as the first page.',
  ),
  Count: query('count', '`none` leaves out `total` and `last_page`.', {
    type: 'string',
    enum: ['exact', 'none'],
    default: 'exact',
  }),
  ...FILTER_PARAMETERS,
} satisfies Record<string, Parameter>;

export function recordParameter(name: 'RecordId' | 'Permanent' | 'Locale' | 'Status' | 'Cursor' | 'Count'): Reference {
  return ref(name);
}

const ref = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` });

/** The relations of each type, by its name. */
export type RelationsOfTypes = ReadonlyMap<string, readonly Pick<Field, 'name' | 'to'>[]>;

/** More paths than these are of no use in a list, and two hundred relations to types like it lead to tens of thousands. */
const MOST_PATHS = 1_000;

/** Parameters of one type, which several of its routes take. */
export function typeParameters(
  type: CompiledType,
  { record }: TypeNames,
  relations: RelationsOfTypes,
): Record<string, Parameter> {
  const own = relations.get(type.name) ?? [];
  return {
    [`${record}Sort`]: several(
      'sort',
      'By what, the most important first; `-` turns one around. `-created_at` by default.',
      sortableNames(type).flatMap((name) => [name, `-${name}`]),
    ),
    [`${record}Fields`]: several(
      'fields',
      'Only these keys of each record: the answer lacks all others, those that its schema requires too.',
      Object.keys(recordSchema(type).properties as object),
    ),
    ...(own.length === 0 ? {} : { [`${record}Expand`]: expandParameter(expandable(own, relations)) }),
  };
}

/** The parameters of a list of a type. */
export function listParameters(type: CompiledType, names: TypeNames): (Parameter | Reference)[] {
  return [
    parameterRef('Page'),
    parameterRef('PerPage'),
    recordParameter('Status'),
    ref(`${names.record}Sort`),
    ...filterParameters(type),
    ...selectionParameters(type, names),
    recordParameter('Cursor'),
    recordParameter('Count'),
    parameterRef('IfNoneMatch'),
  ];
}

/** The parameters of a read of one record. */
export function readParameters(type: CompiledType, names: TypeNames): Reference[] {
  return [...selectionParameters(type, names), parameterRef('IfNoneMatch')];
}

function selectionParameters({ fields }: CompiledType, { record }: TypeNames): Reference[] {
  const hasRelations = fields.some(isReference);
  return [ref(`${record}Fields`), ...(hasRelations ? [ref(`${record}Expand`)] : [])];
}

/** Relations of a type, and those of what they lead to: `author`, `author.employer`. `null`: too many to name them. */
function expandable(own: readonly Pick<Field, 'name' | 'to'>[], relations: RelationsOfTypes): string[] | null {
  const paths = new Set<string>();
  for (const { name, to = [] } of own) {
    paths.add(name);
    for (const deeper of to.flatMap((target) => relations.get(target) ?? [])) paths.add(`${name}.${deeper.name}`);
    if (paths.size > MOST_PATHS) return null;
  }
  return [...paths];
}

function expandParameter(paths: readonly string[] | null): Parameter {
  if (paths) return several('expand', 'Relations to answer as whole records.', paths);
  const description =
    'Relations to answer as whole records: `author`, or `author.employer` for those of what it leads to.';
  return query('expand', description, { type: 'array', items: { type: 'string' } });
}

/** A parameter that takes several values. */
function several(name: string, description: string, values: readonly string[]): Parameter {
  return query(name, description, { type: 'array', items: { type: 'string', enum: [...values] } });
}
