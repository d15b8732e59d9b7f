import type { OpenAPIV3_1 } from 'openapi-types';
import { schemaRef } from '../../common/openapi/describe.js';
import { pascalCase } from '../../common/openapi/error-components.js';
import { STATUSES, type CompiledType } from '../../content-types/definition/content-type.js';
import { BUILT_IN_PROPERTIES, propertyOf, type Property, type ValueKind } from '../reading/properties.js';

type Schema = OpenAPIV3_1.SchemaObject;
type Parameter = OpenAPIV3_1.ParameterObject;

/** How the values of each kind are written in a filter. */
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

/** What can be asked of a value, by its kind. */
export const FILTER_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  (Object.keys(VALUES) as ValueKind[]).map((kind) => [schemaName(kind), filterSchema(kind)]),
);

function filterSchema(kind: ValueKind): Schema {
  const operators = OPERATORS[kind] ?? COMPARISONS;
  return {
    type: 'object',
    description: 'Conditions on one value; all that are sent must hold.',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(operators.map((operator) => [operator, VALUES[kind]])),
      in: SEVERAL,
      nin: SEVERAL,
      exists: { type: 'boolean' },
    },
  };
}

const parameterName = (name: string): string => `Filter${pascalCase(name)}`;

/** Filters that every list of records takes. */
export const FILTER_PARAMETERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  BUILT_IN_PROPERTIES.map((property) => [parameterName(property.name), filterParameter(property)]),
);

/** One parameter for each property that a list can be filtered by: `filter[title]`, with its operators. */
export function filterParameters(type: CompiledType): (Parameter | OpenAPIV3_1.ReferenceObject)[] {
  return [
    ...BUILT_IN_PROPERTIES.map(({ name }) => ({ $ref: `#/components/parameters/${parameterName(name)}` })),
    ...ownProperties(type).map(filterParameter),
  ];
}

/** What a list of the type can be sorted by. */
export function sortableNames(type: CompiledType): string[] {
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
