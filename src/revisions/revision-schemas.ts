import type { OpenAPIV3_1 } from 'openapi-types';
import { enveloped, listed, objectOf, schemaRef } from '../common/openapi/describe.js';
import { ACTIONS } from '../records/writing/record-listeners.js';
import { ROLLBACK_FIELDS } from './rollback/rollback.dto.js';
import { STATUSES } from '../content-types/definition/content-type.js';

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
export const revisionSchemas: Readonly<Record<string, Schema>> = {
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
export function rolledBack(record: string): Schema {
  const description = 'A record after a rollback.';
  return objectOf({ data: schemaRef(record), meta: schemaRef('RollbackMeta') }, { description });
}
