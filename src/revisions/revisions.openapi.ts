import type { OpenAPIV3_1 } from 'openapi-types';
import {
  answer,
  failures,
  jsonBody,
  NOT_MODIFIED,
  parameterRef,
  query,
  schemaRef,
} from '../common/openapi/describe.js';
import type { DescribeApiOfType, OpenApiFragment, Paths } from '../common/openapi/openapi.registry.js';
import type { TypeNames } from '../common/openapi/type-names.js';
import { recordParameter } from '../records/openapi/parameters.js';
import { recordsTag } from '../records/records.openapi.js';
import { revisionSchemas, rolledBack } from './revision-schemas.js';

type Operation = OpenAPIV3_1.OperationObject;

/** What is described: the routes of one type, and what they are called. */
interface Described {
  readonly tags: string[];
  readonly names: TypeNames;
}

const NEEDS =
  'Needs `revisions:read`, or `revisions:read:` and the type. Without `drafts:read` there is only what was published.';

const PARAMETERS = {
  RevisionTs: {
    name: 'ts',
    in: 'path',
    required: true,
    description:
      'Milliseconds since 1970, or the same in ISO 8601. Ten digits are seconds, which do if one revision lies in them.',
    schema: { type: 'string' },
  },
  Against: query('against', '`previous`, `current`, or another revision.', { type: 'string', default: 'previous' }),
  DryRun: query('dry_run', 'Only say what would change. The same as in the body.', { type: 'boolean', default: false }),
} satisfies Record<string, OpenAPIV3_1.ParameterObject>;

const own = (name: keyof typeof PARAMETERS): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/parameters/${name}`,
});

const NOT_FOUND = ['record_not_found', 'revision_not_found'] as const;

const list = ({ tags, names }: Described): Operation => ({
  tags,
  operationId: names.operations.listRevisions,
  summary: 'List revisions',
  description: `The newest first. ${NEEDS}`,
  parameters: [parameterRef('Page'), parameterRef('PerPage'), parameterRef('IfNoneMatch')],
  responses: {
    200: answer('A page of them.', schemaRef('RevisionList'), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', 'record_not_found'),
  },
});

const read = ({ tags, names }: Described): Operation => ({
  tags,
  operationId: names.operations.getRevision,
  summary: 'Read a revision',
  description: `With the whole state of the record. ${NEEDS}`,
  parameters: [parameterRef('IfNoneMatch')],
  responses: {
    200: answer('The revision.', schemaRef('RevisionWithSnapshotAnswer'), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', ...NOT_FOUND, 'ambiguous_revision', 'revision_damaged'),
  },
});

const diff = ({ tags, names }: Described): Operation => ({
  tags,
  operationId: names.operations.diffRevisions,
  summary: 'Compare two revisions',
  description: `From the older one to the newer one, in whichever order you name them. ${NEEDS}`,
  parameters: [own('Against'), parameterRef('IfNoneMatch')],
  responses: {
    200: answer('What differs.', schemaRef('RevisionDiffAnswer'), 'ETag'),
    ...NOT_MODIFIED,
    ...failures('invalid_query', 'insufficient_scope', ...NOT_FOUND, 'ambiguous_revision', 'revision_damaged'),
  },
});

const rollBack = ({ tags, names }: Described): Operation => ({
  tags,
  operationId: names.operations.rollBack,
  summary: 'Bring a revision back',
  description:
    'An ordinary new write of the old content: history is never rewritten. What has no place any more is named in ' +
    '`meta.rollback`. Needs `revisions:read`, and `records:update` or, for own records, `records:update_own`; ' +
    'a published record, and the status, take `records:publish`.',
  parameters: [own('DryRun'), parameterRef('IfMatch')],
  requestBody: { ...jsonBody(schemaRef('RollbackOrder'), { fields: ['title', 'body'] }), required: false },
  responses: {
    200: answer('The record as it is now.', schemaRef(names.rolledBack), 'ETag'),
    ...failures(
      ...(['malformed_json', 'invalid_query', 'insufficient_scope', ...NOT_FOUND, 'ambiguous_revision'] as const),
      ...(['version_conflict', 'payload_too_large', 'unsupported_media_type', 'validation_failed'] as const),
      ...(['record_damaged', 'revision_damaged'] as const),
    ),
  },
});

/** What the descriptions of all types refer to. */
export const REVISIONS_API: OpenApiFragment = { paths: {}, schemas: revisionSchemas, parameters: PARAMETERS };

/** The history of the records of a type, as concrete paths. */
export function describeRevisions(all: ReadonlyMap<string, TypeNames>): DescribeApiOfType {
  return (type) => {
    const names = all.get(type);
    if (!names) return { paths: {} };
    return { paths: typePaths(type, names), schemas: { [names.rolledBack]: rolledBack(names.record) } };
  };
}

function typePaths(type: string, names: TypeNames): Paths {
  const described: Described = { tags: [recordsTag({ name: type })], names };
  const record = `/api/cms/${type}/{id}`;
  const id = recordParameter('RecordId');
  const locale = recordParameter('Locale');
  return {
    [`${record}/revisions`]: { parameters: [id, locale], get: list(described) },
    [`${record}/revisions/{ts}`]: { parameters: [id, locale, own('RevisionTs')], get: read(described) },
    [`${record}/revisions/{ts}/diff`]: { parameters: [id, locale, own('RevisionTs')], get: diff(described) },
    [`${record}/rollback/{ts}`]: { parameters: [id, locale, own('RevisionTs')], post: rollBack(described) },
  };
}
