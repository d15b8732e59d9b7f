import type { OpenAPIV3_1 } from 'openapi-types';
import { parameterRef } from '../../common/openapi/describe.js';
import type { TypeNames } from '../../common/openapi/type-names.js';
import { STATUSES, type CompiledType } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import { FILTER_PARAMETERS, filterParameters, sortableNames } from './filters.js';
import { recordKeys } from './schemas.js';

type Parameter = OpenAPIV3_1.ParameterObject;
type ParameterSchema = Parameter['schema'];
type Reference = OpenAPIV3_1.ReferenceObject;

/** Parameters that the routes of all types share, by the names that they have in the document. */
export const RECORD_PARAMETERS = {
  RecordId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id, or `slug:` and the slug: `slug:hello-world`.',
    schema: { type: 'string', pattern: '^(?:\\d{1,16}|slug:.+)$' },
  },
  Permanent: {
    name: 'permanent',
    in: 'query',
    description: 'Delete for good instead of putting it into the trash.',
    schema: { type: 'boolean', default: false },
  },
  Locale: {
    name: 'locale',
    in: 'query',
    description:
      'Which one, if several languages have the slug: `slug:hello?locale=pt-BR`. Without it English, then the oldest.',
    schema: { type: 'string' },
  },
  Status: several('status', 'Only records of these statuses.', [...STATUSES]),
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `next_cursor` of the list so far, in place of `page`: however deep, as quick as the first page.',
    schema: { type: 'string' },
  },
  Count: {
    name: 'count',
    in: 'query',
    description: '`none` leaves out `total` and `last_page`.',
    schema: { type: 'string', enum: ['exact', 'none'], default: 'exact' },
  },
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
      recordKeys(type),
    ),
    ...(own.length === 0 ? {} : { [`${record}Expand`]: expandParameter(expandable(own, relations)) }),
  };
}

/** What a list of a type can be asked. */
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

/** What the reading of one record can be asked. */
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
  return { name: 'expand', in: 'query', description, schema: { type: 'array', items: { type: 'string' } } };
}

/** A parameter that takes several values. */
function several(name: string, description: string, values: readonly string[]): Parameter {
  const schema: ParameterSchema = { type: 'array', items: { type: 'string', enum: [...values] } };
  return { name, in: 'query', description, schema };
}
