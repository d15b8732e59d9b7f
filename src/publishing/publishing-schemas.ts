import type { OpenAPIV3_1 } from 'openapi-types';
import { objectOf, schemaRef } from '../common/openapi/describe.js';
import type { Schemas } from '../common/openapi/openapi.registry.js';
import { CONTENT_TYPE_NAME } from '../common/openapi/shared-components.js';
import { STATUSES } from '../content-types/definition/content-type.js';
import { WITHDRAWN } from './publish.dto.js';

type Schema = OpenAPIV3_1.SchemaObject;

const TIME: Schema = { type: 'string', format: 'date-time' };
const AUTHORSHIP = {
  created_at: TIME,
  created_by: schemaRef('Actor'),
  updated_at: TIME,
  updated_by: schemaRef('Actor'),
};
const NAMES: Schema = { type: 'array', items: { type: 'string' } };

const COUNT: Schema = { type: 'integer', description: 'How many there are.' };
const CONFLICT = objectOf(
  {
    field: { type: 'string' },
    base: { description: 'What the record held when the change was made.' },
    live: { description: 'What it holds now.' },
  },
  { description: 'A change of the record meanwhile, to something else.' },
);

/** Schemas that the descriptions of all types refer to. */
export const PUBLISHING_SCHEMAS: Schemas = {
  Draft: objectOf(
    {
      version: { type: 'integer', description: 'Grows with each change; its `ETag` is `"d<version>"`.' },
      base_version: {
        type: 'integer',
        description: 'The last version of the record on which all of it was based.',
      },
      changed: { ...NAMES, description: 'Names of what is to change: `title`, `terms.tag`.' },
      conflicts: {
        type: 'array',
        description: 'What was changed in the record meanwhile, too. Send it again as it is to be.',
        items: CONFLICT,
      },
      faults: {
        type: 'array',
        description: 'What keeps the record as it would be from being public.',
        items: schemaRef('Fault'),
      },
      new_terms: {
        type: 'object',
        description: 'Names of tags that are made when it is folded in, by taxonomy.',
        additionalProperties: NAMES,
      },
      ...AUTHORSHIP,
    },
    { description: 'A working copy: what is to become of a record, beside what it is.' },
  ),
  ListedDraft: objectOf(
    {
      record: objectOf(
        {
          id: { type: 'integer' },
          type: CONTENT_TYPE_NAME,
          title: { type: 'string', description: 'The one that it would have.' },
          slug: { type: 'string' },
          status: { type: 'string', enum: [...STATUSES] },
        },
        { description: 'The record that it is of.' },
      ),
      version: { type: 'integer' },
      base_version: { type: 'integer' },
      changed: { ...NAMES, description: 'Names of what is to change.' },
      conflicts: COUNT,
      faults: COUNT,
      ...AUTHORSHIP,
    },
    { description: 'A working copy in the list of all of them.' },
  ),
  DraftMeta: objectOf(
    { draft: { anyOf: [schemaRef('Draft'), { type: 'null' }], description: '`null`: nothing is to change.' } },
    { description: 'What there is to say about a working copy.' },
  ),
  PublishOrder: objectOf(
    {
      draft_version: {
        type: ['integer', 'null'],
        description: 'The version of the working copy that is meant; null: the client knows of none.',
      },
    },
    { required: [] },
  ),
  UnpublishOrder: objectOf(
    {
      to: {
        type: 'string',
        enum: [...WITHDRAWN],
        description:
          'What the record becomes, whether it is published or not. Without it a published one becomes a draft, and others stay as they are.',
      },
    },
    { required: [] },
  ),
};
