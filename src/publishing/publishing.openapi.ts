import type { OpenAPIV3_1 } from 'openapi-types';
import type { ErrorName } from '../common/errors/catalogue.js';
import {
  answer,
  emptyAnswer,
  failures,
  jsonBody,
  listed,
  objectOf,
  parameterRef,
  query,
  schemaRef,
} from '../common/openapi/describe.js';
import type {
  DescribeApiOfType,
  OpenApiFragment,
  PathItem,
  Paths,
  Schemas,
} from '../common/openapi/openapi.registry.js';
import { CONTENT_TYPE_NAME } from '../common/openapi/shared-components.js';
import type { TypeNames } from '../common/openapi/type-names.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { recordParameter } from '../records/openapi/parameters.js';
import { answerSchema, inputSchema } from '../records/openapi/schemas.js';
import { recordsTag } from '../records/records.openapi.js';
import { PUBLISHING_SCHEMAS } from './publishing-schemas.js';

type Operation = OpenAPIV3_1.OperationObject;
type ParameterSchema = OpenAPIV3_1.ParameterObject['schema'];

/** One type, and what it is called in the document. */
interface Described {
  readonly type: CompiledType;
  readonly names: TypeNames;
}

const TAG = 'Working copies';
/** openapi-types gives parameters the schemas of OpenAPI 3.0. */
const TYPE_NAMES = { type: 'array', items: CONTENT_TYPE_NAME } as ParameterSchema;
const NEEDS = 'Needs `drafts:read` and `records:read`';
const UNREAD = 'Without `records:read` the answer has `id`, `type`, `version` and the times, and no more.';

const BODY_FAILURES = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const satisfies readonly ErrorName[];

const RECORD_FAILURES = [
  'invalid_query',
  'insufficient_scope',
  'record_not_found',
  'record_damaged',
] as const satisfies readonly ErrorName[];

/** Reasons to refuse the folding in of a working copy. */
const FOLDING_FAILURES = [
  'version_conflict',
  'draft_not_found',
  'draft_conflict',
  'slug_taken',
  'malformed_request',
  'idempotency_key_reused',
] as const satisfies readonly ErrorName[];

/** Schemas that the descriptions of all types refer to. */
export const PUBLISHING_API: OpenApiFragment = {
  tags: [
    {
      name: TAG,
      description: 'What editors are working on: changes that are not public yet, and many records at once.',
    },
  ],
  paths: { '/api/cms/-/drafts': { get: list() } },
  schemas: PUBLISHING_SCHEMAS,
};

function list(): Operation {
  return {
    tags: [TAG],
    operationId: 'listDrafts',
    summary: 'List working copies',
    description:
      'Of all types whose drafts the caller may read, those that were saved last first; records in the trash are left out. ' +
      `${NEEDS}, for one type at least.`,
    parameters: [
      query('type', 'Only of these content types.', TYPE_NAMES),
      query('ids', 'Only of these records, 100 at most.', { type: 'array', items: { type: 'integer' } }),
      query('mine', 'Only those that the caller has begun or saved last.', { type: 'boolean', default: false }),
      parameterRef('Page'),
      parameterRef('PerPage'),
    ],
    responses: {
      200: answer('A page of them.', listed(schemaRef('ListedDraft'))),
      ...failures('invalid_query', 'insufficient_scope', 'type_not_found'),
    },
  };
}

/** The working copies of the records of a type, and how they are published, as concrete paths. */
export function describePublishing(
  types: readonly CompiledType[],
  all: ReadonlyMap<string, TypeNames>,
): DescribeApiOfType {
  const known = new Map(types.map((type) => [type.name, type]));
  return (name) => {
    const [type, names] = [known.get(name), all.get(name)];
    if (!type || !names) return { paths: {} };
    return {
      paths: typePaths({ type, names }),
      longSchemas: schemasOf(type, names, all),
    };
  };
}

const RECORD_VERSION = query(
  'record_version',
  'The version of the record that was read. If the record has another one by now, the answer is 412: what is sent again is based on the record as it is, so a conflict would be settled unseen.',
  { type: 'integer', minimum: 1 },
);

function* schemasOf(type: CompiledType, names: TypeNames, all: ReadonlyMap<string, TypeNames>): Generator<Schemas> {
  yield { [names.draftChange]: inputSchema(type, 'draft') };
  const description =
    'A record as it would be with its working copy folded in: its values may be unfinished. `data` is left out with `Prefer: return=minimal`.';
  const properties = { data: answerSchema(type, all, 'draft'), meta: schemaRef('DraftMeta') };
  yield { [names.draft]: objectOf(properties, { required: ['meta'], description }) };
}

function typePaths(described: Described): Paths {
  const record = `/api/cms/${described.type.name}/{id}`;
  const parameters = [recordParameter('RecordId'), recordParameter('Locale')];
  const { applyDraft, publish } = described.names.operations;
  const apply = fold(described, {
    operationId: applyDraft,
    summary: 'Fold a working copy in',
    description:
      'The record gets what its working copy says, and its status stays. Needs the right to change the record; if ' +
      'it is published, that to publish, too.',
  });
  const published = fold(described, {
    operationId: publish,
    summary: 'Publish a record',
    description:
      'With its working copy folded in, if there is one; without it a record that is published already stays as it is. ' +
      needs(described.type),
  });
  return {
    [`${record}/draft`]: { parameters, ...draft(described) },
    [`${record}/draft/apply`]: { parameters, post: apply },
    [`${record}/publish`]: { parameters, post: published },
    [`${record}/unpublish`]: { parameters, post: unpublish(described) },
  };
}

function draft(described: Described): PathItem {
  const { getDraft, updateDraft, replaceDraft } = described.names.operations;
  return {
    get: read(described, getDraft),
    patch: save(described, {
      operationId: updateDraft,
      summary: 'Change a working copy',
      description: 'Parts that you do not send stay; a part that equals the record is no change any more.',
    }),
    put: save(described, {
      operationId: replaceDraft,
      summary: 'Replace a working copy',
      description: 'Parts that you do not send stay as the record has them.',
    }),
    delete: discard(described),
  };
}

function read({ type, names }: Described, operationId: string): Operation {
  return {
    tags: [recordsTag(type)],
    operationId,
    summary: 'Read a working copy',
    description: `The record as it would be. ${NEEDS}.`,
    responses: {
      200: answer('The record as it would be.', schemaRef(names.draft), 'ETag'),
      ...failures(...RECORD_FAILURES, 'draft_not_found'),
    },
  };
}

function save(
  { type, names }: Described,
  { description, ...said }: { readonly operationId: string; readonly summary: string; readonly description: string },
): Operation {
  return {
    tags: [recordsTag(type)],
    ...said,
    description:
      `${description} Values need no more than to be of their kind and size: what else is wrong is in \`faults\`. ` +
      '`If-Match` must have the `ETag` of the working copy, or of the record if there is none. ' +
      `${NEEDS}, and the right to change the record.`,
    parameters: [parameterRef('IfMatch'), RECORD_VERSION],
    requestBody: jsonBody(schemaRef(names.draftChange), { title: 'Hello again' }),
    responses: {
      200: answer('The record as it would be.', schemaRef(names.draft), 'ETag'),
      201: answer('The same, with the first change of a working copy.', schemaRef(names.draft), 'ETag', 'Location'),
      ...failures(...BODY_FAILURES, ...RECORD_FAILURES, 'version_conflict', 'precondition_required'),
    },
  };
}

function discard({ type, names }: Described): Operation {
  return {
    tags: [recordsTag(type)],
    operationId: names.operations.deleteDraft,
    summary: 'Discard a working copy',
    description: `The record stays as it is. ${NEEDS}, and the right to change the record.`,
    parameters: [parameterRef('IfMatch')],
    responses: {
      204: emptyAnswer('Discarded.'),
      ...failures('invalid_query', 'insufficient_scope', 'record_not_found', 'draft_not_found', 'version_conflict'),
    },
  };
}

/** Folds the working copy of a record in, whether it is published by that or not. */
function fold(
  { type, names }: Described,
  said: { readonly operationId: string; readonly summary: string; readonly description: string },
): Operation {
  return {
    tags: [recordsTag(type)],
    ...said,
    description: `${said.description} ${UNREAD}`,
    parameters: [parameterRef('IfMatch'), parameterRef('IdempotencyKey')],
    requestBody: { ...jsonBody(schemaRef('PublishOrder'), {}), required: false },
    responses: {
      200: answer('The record as it is now.', schemaRef(names.answer), 'ETag', 'Idempotent-Replayed'),
      ...failures(...BODY_FAILURES, ...RECORD_FAILURES, ...FOLDING_FAILURES),
    },
  };
}

function unpublish({ type, names }: Described): Operation {
  return {
    tags: [recordsTag(type)],
    operationId: names.operations.unpublish,
    summary: 'Withdraw a record from the public',
    description: `Its working copy stays. ${needs(type)} ${UNREAD}`,
    parameters: [parameterRef('IfMatch')],
    requestBody: { ...jsonBody(schemaRef('UnpublishOrder'), { to: 'archived' }), required: false },
    responses: {
      200: answer('The record as it is now.', schemaRef(names.answer), 'ETag'),
      ...failures(...BODY_FAILURES, ...RECORD_FAILURES, 'version_conflict'),
    },
  };
}

function needs({ name }: CompiledType): string {
  return `Needs \`records:publish\` or \`records:publish:${name}\`.`;
}
