import { named } from '../../common/openapi/endpoint.js';
import { objectSchema, type JsonSchema } from '../../common/schema/json-schema.js';
import { timeText } from '../../common/text/time-text.js';
import { STATUSES, type Status, type TypeDefinition, type TypeOptions } from './content-type.js';
import { FIELD_INPUT, typeInput } from './definition-schema.js';
import type { Field } from '../kinds/field.js';

/** A field as the API shows it. */
type FieldView = Omit<Field, 'key' | 'retired'>;

/** Records by status, as far as the caller may see them. */
export type Counts = Readonly<Partial<Record<Status, number>>>;

/** A content type as the API shows it. */
export interface TypeView extends TypeOptions {
  readonly name: string;
  readonly fields: readonly FieldView[];
  readonly counts?: Counts;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

const FIELD = named('Field', {
  ...FIELD_INPUT,
  description: 'One field of a content type.',
  properties: {
    ...(FIELD_INPUT.properties as object),
    building: { type: 'boolean', description: 'Its index is being filled: it cannot be filtered or sorted by yet.' },
  },
  required: ['id', 'name', 'type', 'label', 'required', 'unique', 'indexed', 'searchable'],
});

const OWN = typeInput('create', FIELD).properties;

/** {@link TypeView} in the description of the API. */
export const CONTENT_TYPE = named(
  'ContentType',
  objectSchema(
    {
      ...OWN,
      counts: objectSchema(Object.fromEntries(STATUSES.map((status) => [status, COUNT])), {
        description: 'Records by status, as far as the caller may see them.',
        required: [],
      }),
      version: { type: 'integer', minimum: 1 },
      created_at: TIME,
      updated_at: TIME,
    },
    {
      description: 'A content type: which fields its records have, and how they are treated.',
      required: [...Object.keys(OWN), 'version', 'created_at', 'updated_at'],
    },
  ),
);

const ONE_PAGE = {
  total: COUNT,
  per_page: { type: 'integer', minimum: 1 },
  current_page: { const: 1 },
  last_page: { const: 1 },
};

export const CONTENT_TYPE_LIST = named(
  'ContentTypeList',
  objectSchema({
    data: { type: 'array', items: CONTENT_TYPE },
    meta: objectSchema(ONE_PAGE, { description: 'All types are on one page.' }),
  }),
);

const FIELD_OF_INPUT = named('FieldInput', FIELD_INPUT);

/** The body of a new type, and that of a change, in the description of the API. */
export const CONTENT_TYPE_INPUT = named('ContentTypeInput', {
  ...typeInput('create', FIELD_OF_INPUT),
  description: 'A content type that is to be created.',
});
export const CONTENT_TYPE_CHANGE = named('ContentTypeChange', {
  ...typeInput('update', FIELD_OF_INPUT),
  description: 'The parts to change; the rest stays.',
});

export function typeView(type: TypeDefinition, counts?: Counts): TypeView {
  return {
    name: type.name,
    label: type.label,
    label_plural: type.label_plural,
    description: type.description,
    taxonomies: type.taxonomies,
    url_path: type.url_path,
    sitemap: type.sitemap,
    body: type.body,
    revisions: type.revisions,
    fields: type.fields.map(({ key: _key, retired: _retired, ...field }) => field),
    ...(counts ? { counts } : {}),
    version: type.version,
    created_at: timeText(type.created_at),
    updated_at: timeText(type.updated_at),
  };
}
