import type { OpenAPIV3_1 } from 'openapi-types';
import {
  NOT_MODIFIED,
  answer,
  enveloped,
  failures,
  inPath,
  jsonBody,
  listed,
  objectOf,
  parameterRef,
  query,
  schemaRef,
} from '../common/openapi/describe.js';
import type { DescribeApiOfType, OpenApiFragment, Paths } from '../common/openapi/openapi.registry.js';
import type { TypeNames } from '../common/openapi/type-names.js';
import { recordParameter } from '../records/openapi/parameters.js';
import { recordsTag } from '../records/records.openapi.js';
import { ACTIONS } from '../records/writing/record-listeners.js';
import { ROLLBACK_FIELDS } from './rollback/rollback.dto.js';
import { STATUSES } from '../content-types/definition/content-type.js';

type Operation = OpenAPIV3_1.OperationObject;
type Schema = OpenAPIV3_1.SchemaObject;

const TIME: Schema = { type: 'string', format: 'date-time' };
const TS: Schema = { type: 'integer', description: 'Milliseconds since 1970, UTC; unique for each record.' };

const REVISION = {
  ts: TS,
  created_at: { ...TIME, description: 'The same instant.' },
  version: { type: 'integer', minimum: 1, description: 'Version of the record that the write made.' },
  action: { type: 'string', enum: [...ACTIONS] },
  status: { type: 'string', enum: [...STATUSES] },
  title: { type: 'string' },
  changed: {
    type: 'array',
    description:
      'Names of what the write has changed. Left out without `drafts:read` if the state before the write is not shown.',
    items: { type: 'string' },
  },
  author: objectOf({
    kind: { type: 'string', enum: ['user', 'token'] },
    id: { type: ['integer', 'null'] },
    name: { type: 'string' },
  }),
  rollback_of: { type: ['integer', 'null'], description: '`ts` of the revision that was brought back.' },
  current: { type: 'boolean', description: 'Whether it is the newest one.' },
  size_bytes: { type: 'integer', minimum: 0, description: 'Length of the snapshot, as JSON.' },
} as const satisfies Readonly<Record<string, Schema>>;

const NULLABLE_TEXT: Schema = { type: ['string', 'null'] };

/** Without `drafts:read`, `changed` may be left out. */
const NEEDED = Object.keys(REVISION).filter((name) => name !== 'changed');

const SNAPSHOT = objectOf(
  {
    title: { type: 'string' },
    slug: NULLABLE_TEXT,
    body: NULLABLE_TEXT,
    status: REVISION.status,
    locale: { type: 'string' },
    published_at: { ...TIME, type: ['string', 'null'] },
    terms: {
      type: 'object',
      description: 'By taxonomy.',
      additionalProperties: { type: 'array', items: schemaRef('TermReference') },
    },
  },
  {
    description: 'The state. Values of fields stand beside these parts, under the names that the fields had then.',
    additionalProperties: true,
  },
);

const { ts, created_at, version } = REVISION;

const TEXT_CHANGE = objectOf(
  { op: { type: 'string', enum: ['equal', 'insert', 'delete'] }, text: { type: 'string' } },
  {
    description:
      'A piece of a text. What is equal or deleted makes the old text, what is equal or inserted the new one.',
  },
);

const CHANGE = objectOf(
  {
    field: { type: 'string' },
    kind: { type: 'string', enum: ['built_in', 'field', 'taxonomy'] },
    from: {},
    to: { description: 'Of a taxonomy, terms. In a dry run a tag that would be made has `null` as its `id`.' },
    changes: {
      type: 'array',
      description: 'For two texts, word by word; absent if comparing them would take too long.',
      items: schemaRef('RevisionTextChange'),
    },
  },
  { description: 'One part of a record that differs.', required: ['field', 'kind', 'from', 'to'] },
);

const notes = (description: string): Schema => ({
  type: 'array',
  description,
  items: objectOf(
    { field: { type: 'string' }, reason: { type: 'string' }, value: {} },
    { required: ['field', 'reason'] },
  ),
});

const ROLLBACK = objectOf(
  {
    ts: TS,
    dry_run: { type: 'boolean' },
    restored: { type: 'array', description: 'Names of what has changed.', items: { type: 'string' } },
    kept: notes(
      'Present values that stay, and why: `slug_taken`, `value_taken`, `no_longer_valid`, `required` or `did_not_exist`.',
    ),
    skipped: notes('What has no place any more: `field_removed`, `taxonomy_removed`, `target_gone` or `term_gone`.'),
    changes: { type: 'array', description: 'Of a dry run.', items: schemaRef('RevisionChange') },
  },
  {
    description: 'What a rollback did, or would do.',
    required: ['ts', 'dry_run', 'restored', 'kept', 'skipped'],
  },
);

/** Schemas of revisions, by the names that the description of the API gives them. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  Revision: objectOf(REVISION, { description: 'The state of a record after one write of it.', required: NEEDED }),
  RevisionWithSnapshot: objectOf(
    { ...REVISION, snapshot: schemaRef('RevisionSnapshot') },
    { description: 'A revision with the state that it keeps.', required: [...NEEDED, 'snapshot'] },
  ),
  RevisionSnapshot: SNAPSHOT,
  RevisionHead: objectOf({ ts, created_at, version }),
  RevisionDiff: objectOf(
    {
      from: { anyOf: [schemaRef('RevisionHead'), { type: 'null' }] },
      to: schemaRef('RevisionHead'),
      changes: { type: 'array', items: schemaRef('RevisionChange') },
    },
    { description: 'What has changed from the older of two revisions to the newer one.' },
  ),
  RollbackOrder: objectOf(
    {
      include_status: { type: 'boolean', default: false, description: 'The status, too.' },
      fields: ROLLBACK_FIELDS,
      dry_run: { type: 'boolean', default: false, description: 'Only say what would change.' },
    },
    { description: 'What to bring back: all of the content, if nothing else is said.', required: [] },
  ),
  RollbackMeta: objectOf({ rollback: schemaRef('Rollback') }, { description: 'What became of it.' }),
  Rollback: ROLLBACK,
  RevisionChange: CHANGE,
  RevisionTextChange: TEXT_CHANGE,
  RevisionList: listed(schemaRef('Revision')),
  RevisionWithSnapshotAnswer: enveloped(schemaRef('RevisionWithSnapshot')),
  RevisionDiffAnswer: enveloped(schemaRef('RevisionDiff')),
};

/** @param record name of the schema of its type */
function rolledBack(record: string): Schema {
  const description = 'A record after a rollback.';
  return objectOf({ data: schemaRef(record), meta: schemaRef('RollbackMeta') }, { description });
}

/** The subject of a description: the routes of one type, and their names. */
interface Described {
  readonly tags: string[];
  readonly names: TypeNames;
}

const NEEDS =
  'Needs `revisions:read`, or `revisions:read:` and the type. Without `drafts:read` there is only what was published.';

const PARAMETERS = {
  RevisionTs: inPath(
    'ts',
    'Milliseconds since 1970, or the same in ISO 8601. Ten digits are seconds, which do if one revision lies in them.',
  ),
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

/** Schemas that the descriptions of all types refer to. */
export const REVISIONS_API: OpenApiFragment = { paths: {}, schemas: SCHEMAS, parameters: PARAMETERS };

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
