import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  enveloped,
  failures,
  jsonBody,
  listed,
  NOT_MODIFIED,
  parameterRef,
  schemaRef,
} from '../common/openapi/describe.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import { TYPE_NAME } from '../content-types/type-parameter.js';
import { RECORD_ID } from '../records/openapi/parameters.js';
import { revisionSchemas } from './revision-schemas.js';

type Operation = OpenAPIV3_1.OperationObject;
type Parameter = OpenAPIV3_1.ParameterObject;

const TAG = 'Revisions';
const NEEDS =
  'Needs `revisions:read`, or `revisions:read:` and the type. Without `drafts:read` there is only what was published.';

const TS: Parameter = {
  name: 'ts',
  in: 'path',
  required: true,
  description:
    'Milliseconds since 1970, or the same in ISO 8601. Ten digits are seconds, which do if one revision lies in them.',
  schema: { type: 'string' },
  example: '1767225600123',
};

const AGAINST: Parameter = {
  name: 'against',
  in: 'query',
  description: '`previous`, `current`, or another revision.',
  schema: { type: 'string', default: 'previous' },
};

const NOT_FOUND = ['type_not_found', 'record_not_found', 'revision_not_found'] as const;

const list: Operation = {
  tags: [TAG],
  operationId: 'listRevisions',
  summary: 'List revisions',
  description: `The newest first. ${NEEDS}`,
  parameters: [parameterRef('Page'), parameterRef('PerPage'), parameterRef('IfNoneMatch')],
  responses: {
    200: answer('A page of them.', listed(schemaRef('Revision')), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', 'type_not_found', 'record_not_found'),
  },
};

const read: Operation = {
  tags: [TAG],
  operationId: 'getRevision',
  summary: 'Read a revision',
  description: `With the whole state of the record. ${NEEDS}`,
  parameters: [parameterRef('IfNoneMatch')],
  responses: {
    200: answer('The revision.', enveloped(schemaRef('RevisionWithSnapshot')), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', ...NOT_FOUND, 'ambiguous_revision', 'revision_damaged'),
  },
};

const diff: Operation = {
  tags: [TAG],
  operationId: 'diffRevisions',
  summary: 'Compare two revisions',
  description: `From the older one to the newer one, whichever stands in the path. ${NEEDS}`,
  parameters: [AGAINST, parameterRef('IfNoneMatch')],
  responses: {
    200: answer('What differs.', enveloped(schemaRef('RevisionDiff')), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', ...NOT_FOUND, 'ambiguous_revision', 'revision_damaged'),
  },
};

const DRY_RUN: Parameter = {
  name: 'dry_run',
  in: 'query',
  description: 'Only say what would change. The same as in the body.',
  schema: { type: 'boolean', default: false },
};

const rollBack: Operation = {
  tags: [TAG],
  operationId: 'rollBackRecord',
  summary: 'Bring a revision back',
  description:
    'An ordinary new write of the old content: history is never rewritten. What has no place any more is named in ' +
    '`meta.rollback`. Needs `revisions:read`, and `records:update` or, for own records, `records:update_own`; ' +
    'a published record, and the status, take `records:publish`.',
  parameters: [DRY_RUN, parameterRef('IfMatch')],
  requestBody: { ...jsonBody(schemaRef('RollbackOrder'), { fields: ['title', 'body'] }), required: false },
  responses: {
    200: answer('The record as it is now.', schemaRef('RolledBack'), 'ETag'),
    ...failures(
      ...(['malformed_json', 'invalid_query', 'insufficient_scope', ...NOT_FOUND, 'ambiguous_revision'] as const),
      ...(['version_conflict', 'payload_too_large', 'unsupported_media_type', 'validation_failed'] as const),
      'revision_damaged',
    ),
  },
};

const HISTORY = '/api/cms/{type}/{id}/revisions';

/** The history of records of every type. */
export const REVISIONS_API: OpenApiFragment = {
  tags: [{ name: TAG, description: 'What records were, and how they came to be what they are.' }],
  schemas: revisionSchemas,
  paths: {
    [HISTORY]: { parameters: [TYPE_NAME, RECORD_ID], get: list },
    [`${HISTORY}/{ts}`]: { parameters: [TYPE_NAME, RECORD_ID, TS], get: read },
    [`${HISTORY}/{ts}/diff`]: { parameters: [TYPE_NAME, RECORD_ID, TS], get: diff },
    '/api/cms/{type}/{id}/rollback/{ts}': { parameters: [TYPE_NAME, RECORD_ID, TS], post: rollBack },
  },
};
