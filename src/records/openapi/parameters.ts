import type { OpenAPIV3_1 } from 'openapi-types';
import { parameterRef } from '../../common/openapi/describe.js';
import { STATUSES, type CompiledType } from '../../content-types/content-type.js';
import { propertyOf, type Property, type ValueKind } from '../lists/properties.js';
import { recordKeys } from './schemas.js';

type Parameter = OpenAPIV3_1.ParameterObject | OpenAPIV3_1.ReferenceObject;
type ParameterSchema = OpenAPIV3_1.ParameterObject['schema'];

/** How the values of each kind are written in a filter. */
const FILTER_VALUES: Readonly<Record<ValueKind, OpenAPIV3_1.SchemaObject>> = {
  number: { type: 'number' },
  text: { type: 'string' },
  time: { type: 'string', description: 'ISO 8601: `2026-03-14` or `2026-03-14T09:26:53Z`.' },
  boolean: { type: 'boolean' },
  status: { type: 'string', enum: [...STATUSES] },
  term: { type: 'string', description: 'The id or the slug of a term.' },
};
const COMPARISONS = 'eq|ne|lt|lte|gt|gte';
/** Operators that take one value, where they are others than those of all kinds. */
const OPERATORS: Readonly<Partial<Record<ValueKind, string>>> = {
  text: `${COMPARISONS}|contains|starts`,
  term: 'eq|ne|under',
};

/** `{id}` in a path. */
export const RECORD_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id, or `slug:` and the slug: `slug:hello-world`.',
  schema: { type: 'string', pattern: '^(?:\\d{1,16}|slug:.+)$' },
  example: '4211',
};

export const PERMANENT: Parameter = {
  name: 'permanent',
  in: 'query',
  description: 'Delete for good instead of putting it into the trash.',
  schema: { type: 'boolean', default: false },
};

const LOCALE: Parameter = {
  name: 'locale',
  in: 'query',
  description: 'Which one, where several languages have the slug.',
  schema: { type: 'string' },
};

/** What a list of a type can be asked. */
export function listParameters(type: CompiledType, all: ReadonlyMap<string, CompiledType>): Parameter[] {
  const properties = filterable(type);
  const sortable = properties.filter(({ isSortable }) => isSortable).map(({ name }) => name);
  return [
    parameterRef('Page'),
    parameterRef('PerPage'),
    several('status', 'Only records of these statuses.', [...STATUSES]),
    several(
      'sort',
      'By what, the most important first; `-` turns one around. `-created_at` by default.',
      sortable.flatMap((name) => [name, `-${name}`]),
    ),
    filter(properties),
    ...selectionParameters(type, all),
    {
      name: 'cursor',
      in: 'query',
      description:
        'The `next_cursor` of the list so far, in place of `page`: however deep, as quick as the first page.',
      schema: { type: 'string' },
    },
    {
      name: 'count',
      in: 'query',
      description: '`none` leaves out `total` and `last_page`.',
      schema: { type: 'string', enum: ['exact', 'none'], default: 'exact' },
    },
    parameterRef('IfNoneMatch'),
  ];
}

/** What the reading of one record can be asked. */
export function readParameters(type: CompiledType, all: ReadonlyMap<string, CompiledType>): Parameter[] {
  return [...selectionParameters(type, all), LOCALE, parameterRef('IfNoneMatch')];
}

function selectionParameters(type: CompiledType, all: ReadonlyMap<string, CompiledType>): Parameter[] {
  const paths = type.fields
    .filter((field) => field.type === 'relation')
    .flatMap(({ name, to = [] }) => [
      name,
      ...to.flatMap((target) => relationsOf(all.get(target))).map((deeper) => `${name}.${deeper}`),
    ]);
  const fields = several('fields', 'Only these keys of each record.', recordKeys(type));
  if (paths.length === 0) return [fields];
  return [fields, several('expand', 'Relations to answer as whole records.', [...new Set(paths)])];
}

function relationsOf(type: CompiledType | undefined): string[] {
  return type?.fields.filter((field) => field.type === 'relation').map(({ name }) => name) ?? [];
}

/** A list in one parameter, with commas. */
function several(name: string, description: string, values: readonly string[]): Parameter {
  const schema: ParameterSchema = { type: 'array', items: { type: 'string', enum: [...values] } };
  return { name, in: 'query', style: 'form', explode: false, description, schema };
}

function filterable(type: CompiledType): Property[] {
  return [...recordKeys(type), ...type.taxonomies].flatMap((name) => propertyOf(type, name) ?? []);
}

/**
 * All filters as one exploded object: each of its keys is a parameter of its own, as it stands in the query.
 * One parameter for each field and operator would be a hundred for every type.
 */
function filter(properties: readonly Property[]): Parameter {
  const names = properties.map(({ name }) => name).join('|');
  const kinds = [...new Set(properties.map(({ kind }) => kind))];
  const comparisons = kinds.map((kind) => {
    const ofKind = properties.filter((property) => property.kind === kind).map(({ name }) => name);
    const ops = OPERATORS[kind] ?? COMPARISONS;
    return [`^filter\\[(?:${ofKind.join('|')})\\](?:\\[(?:${ops})\\])?$`, FILTER_VALUES[kind]] as const;
  });
  const schema = {
    type: 'object',
    additionalProperties: false,
    patternProperties: {
      ...Object.fromEntries(comparisons),
      [`^filter\\[(?:${names})\\]\\[(?:in|nin)\\]$`]: { type: 'string', description: 'Values with commas.' },
      [`^filter\\[(?:${names})\\]\\[exists\\]$`]: { type: 'boolean' },
    },
  };
  return {
    name: 'filter',
    in: 'query',
    style: 'form',
    explode: true,
    description:
      '`filter[field][op]=value` for ' +
      `${properties.map(({ name }) => `\`${name}\``).join(', ')}. Operators: \`eq\` (also without any), \`ne\`, \`lt\`, \`lte\`, ` +
      '`gt`, `gte`, `in`, `nin`, `exists`, for texts `contains` and `starts`, ' +
      'for taxonomies `under` (the term or one below it). As JSON: `{"filter[title][contains]": "hello"}`.',
    // openapi-types gives parameters the schemas of OpenAPI 3.0, which have no patternProperties.
    schema: schema as ParameterSchema,
  };
}
