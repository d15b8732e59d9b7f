import type { JsonSchema } from '../../common/schema/json-schema.js';
import { compile } from '../../common/schema/validator.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { FIELD_KINDS } from '../../content-types/kinds/kinds.js';
import type { Snapshot } from './snapshot.js';

const FIELD: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^f_[0-9a-z]{1,11}$' },
    name: { type: ['string', 'null'] },
    type: { type: ['string', 'null'], enum: [...FIELD_KINDS, null] },
    value: {},
  },
  required: ['id', 'name', 'type', 'value'],
  additionalProperties: false,
};
const TERM: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 0 }, slug: { type: 'string' }, name: { type: 'string' } },
  required: ['id', 'slug', 'name'],
  additionalProperties: false,
};
const SNAPSHOT: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 255 },
    slug: { type: 'string', maxLength: 191 },
    body: { type: ['string', 'null'] },
    status: { type: 'string', enum: STATUSES },
    locale: { type: 'string', minLength: 2, maxLength: 12 },
    published_at: { type: ['integer', 'null'] },
    fields: { type: 'array', items: FIELD },
    terms: { type: 'object', additionalProperties: { type: 'array', items: TERM } },
  },
  required: ['title', 'slug', 'body', 'status', 'locale', 'published_at', 'fields', 'terms'],
  additionalProperties: false,
};

const validate = compile(SNAPSHOT);

export function isSnapshot(value: unknown): value is Snapshot {
  return validate(value).length === 0;
}
