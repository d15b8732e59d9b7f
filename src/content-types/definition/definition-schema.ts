import { BODY_FORMATS } from './content-type.js';
import { FIELD_KINDS, SCALAR_KINDS } from '../kinds/kinds.js';
import { MAX_TEXT_LENGTH, ONE_LINE } from '../kinds/shared/schemas.js';
import type { JsonSchema, ObjectSchema } from '../../common/schema/json-schema.js';
import { MAX_LABEL_LENGTH, MAX_NAME_LENGTH, NAME_PATTERN } from '../../common/text/names.js';
import { URL_PATH_PATTERN } from '../../common/text/slug.js';
import { MAX_PATTERN_LENGTH } from '../../common/schema/object-validator.js';

const MAX_FIELDS = 200;

const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN };
const LABEL: JsonSchema = {
  type: 'string',
  maxLength: MAX_LABEL_LENGTH,
  'x-not-blank': true,
  'x-no-overrides': true,
  ...ONE_LINE,
};
const DESCRIPTION: JsonSchema = { type: 'string', maxLength: 1_000 };
const LENGTH: JsonSchema = { type: 'integer', minimum: 0, maximum: MAX_TEXT_LENGTH };
const LIMIT: JsonSchema = { type: ['number', 'string'] };
const FLAG: JsonSchema = { type: 'boolean' };

/** JSON Schema of a field in the body that defines a type. Which rules fit which kind is checked apart. */
export const FIELD_INPUT: JsonSchema = {
  type: 'object',
  description: 'One field. Without an id it is the field of that name, or a new one.',
  properties: {
    id: {
      type: 'string',
      pattern: '^f_[0-9a-z]{1,11}$',
      description: 'Says which field it is, so that it can be renamed.',
    },
    name: NAME,
    type: { type: 'string', enum: FIELD_KINDS },
    label: LABEL,
    description: DESCRIPTION,
    required: FLAG,
    min: { ...LIMIT, description: 'Smallest number, or earliest date.' },
    max: { ...LIMIT, description: 'Largest number, or latest date.' },
    min_length: { ...LENGTH, description: 'Characters of a text; items of a list or of a relation to many.' },
    max_length: { ...LENGTH, description: 'Characters of a text; items of a list or of a relation to many.' },
    pattern: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_PATTERN_LENGTH,
      description: 'Regular expression in RE2 syntax.',
    },
    values: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: { type: 'string', minLength: 1, maxLength: 100, ...ONE_LINE },
      description: 'Choices of an enum.',
    },
    default: { description: 'Value of a new record that does not say otherwise.' },
    unique: { ...FLAG, description: 'No two records have the same value.' },
    indexed: { ...FLAG, description: 'Records can be filtered and sorted by it.' },
    searchable: FLAG,
    of: { type: 'string', enum: SCALAR_KINDS, description: 'Kind of the items of a list.' },
    to: { type: 'array', minItems: 1, maxItems: 20, items: NAME, description: 'Types that a relation may point to.' },
    many: { ...FLAG, description: 'Whether a relation points to several records.' },
  },
  required: ['name', 'type'],
  additionalProperties: false,
};

const OPTIONS = {
  label: LABEL,
  label_plural: LABEL,
  description: DESCRIPTION,
  taxonomies: { type: 'array', maxItems: 20, items: NAME },
  url_path: { type: 'string', maxLength: 255, pattern: URL_PATH_PATTERN },
  sitemap: FLAG,
  body: {
    type: 'string',
    enum: BODY_FORMATS,
    description:
      'How people write and preview the `body` of a record. `markdown` unless it is sent; `none`: forms have no body. What is kept is the text as it was sent.',
  },
  revisions: {
    type: 'object',
    properties: { keep: { type: 'integer', minimum: 1, maximum: 10_000 } },
    required: ['keep'],
    additionalProperties: false,
  },
};

/** JSON Schema of the body that defines or changes a type; `fields` says what one of its fields is like. */
export function typeInput(purpose: 'create' | 'update', fields: JsonSchema = FIELD_INPUT): ObjectSchema {
  return {
    type: 'object',
    properties: { name: NAME, ...OPTIONS, fields: { type: 'array', maxItems: MAX_FIELDS, items: fields } },
    ...(purpose === 'create' ? { required: ['name'] } : {}),
    additionalProperties: false,
  };
}
