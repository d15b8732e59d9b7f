import type { OpenAPIV3_1 } from 'openapi-types';
import { ERROR_STATUS } from '../../common/errors/catalogue.js';
import { answer, failures, jsonBody, objectOf, parameterRef, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment, Schemas } from '../../common/openapi/openapi.registry.js';
import { CONTENT_TYPE_NAME } from '../../common/openapi/shared-components.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { BULK_ORDER } from './bulk-order.js';

type Schema = OpenAPIV3_1.SchemaObject;

/** `{type}` in a path; openapi-types gives parameters the schemas of OpenAPI 3.0. */
const TYPE = { name: 'type', in: 'path', required: true, schema: CONTENT_TYPE_NAME } as OpenAPIV3_1.ParameterObject;
const ID: Schema = { type: 'integer' };
const DONE = objectOf(
  {
    id: ID,
    ok: { type: 'boolean', const: true },
    changed: { type: 'boolean', description: 'Whether something was written.' },
    version: { type: ['integer', 'null'], description: '`null`: it is gone for good.' },
    status: { type: ['string', 'null'], enum: [...STATUSES, null] },
    was: objectOf(
      { version: ID, status: { type: 'string', enum: [...STATUSES] } },
      { description: 'What it was before.' },
    ),
    skipped: schemaRef('Skipped'),
  },
  { required: ['id', 'ok', 'changed', 'version', 'status', 'was'] },
);
const FAILED = objectOf(
  {
    id: ID,
    ok: { type: 'boolean', const: false },
    error: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    message: { type: 'string' },
    details: { type: 'array', items: {} },
  },
  { required: ['id', 'ok', 'error', 'message'] },
);

const SCHEMAS: Schemas = {
  BulkOrder: BULK_ORDER as unknown as Schema,
  BulkAnswer: objectOf({
    data: { type: 'array', description: 'In the order of the items.', items: { oneOf: [DONE, FAILED] } },
    meta: objectOf({ changed: ID, unchanged: ID, failed: ID }),
  }),
};

/** Does one thing with many records of a type. */
export const BULK_API: OpenApiFragment = {
  schemas: SCHEMAS,
  paths: {
    '/api/cms/{type}/-/bulk': {
      parameters: [TYPE],
      post: {
        tags: ['Working copies'],
        operationId: 'changeManyRecords',
        summary: 'Do one thing with many records',
        description:
          'Each record by its own write, one after the other: what fails with one leaves the others alone. ' +
          '`publish` folds a working copy in, `trash` can be taken back by `restore`, `delete` is for good. ' +
          'Needs the right that the action needs for one record.',
        parameters: [parameterRef('IdempotencyKey')],
        requestBody: jsonBody(schemaRef('BulkOrder'), { action: 'publish', items: [{ id: 4211, version: 7 }] }),
        responses: {
          200: answer('What became of each of them.', schemaRef('BulkAnswer'), 'Idempotent-Replayed'),
          ...failures(
            ...(['malformed_request', 'malformed_json', 'payload_too_large', 'unsupported_media_type'] as const),
            ...(['invalid_query', 'insufficient_scope', 'validation_failed', 'idempotency_key_reused'] as const),
          ),
        },
      },
    },
  },
};
