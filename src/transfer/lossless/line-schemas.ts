import { ValidationError } from '../../common/errors/domain-error.js';
import { MAX_ID } from '../../common/id.js';
import { faultsOf } from '../../common/schema/faults.js';
import type { JsonSchema } from '../../common/schema/json-schema.js';
import { compile, type Validate } from '../../common/schema/validator.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { MAX_TERMS } from '../../content-types/definition/record-schema.js';
import { ACTIONS } from '../../records/writing/record-listeners.js';
import { isLeftOut } from '../backup/damaged-rows.js';
import type { EndLine, RecordLine, RevisionLine } from './lossless-format.js';

const ID: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_ID };
const VERSION: JsonSchema = { type: 'integer', minimum: 1, maximum: 1_000_000_000 };
const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const TIME_OR_NULL: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
/** Milliseconds of the years that a text can name too. */
const TS: JsonSchema = { type: 'integer', minimum: 0, maximum: 253_402_300_799_999 };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const ACTOR: JsonSchema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['user', 'token'] },
    id: { ...ID, type: ['integer', 'null'] },
    name: { type: 'string', maxLength: 255, pattern: '^[^\\x00]*$' },
  },
  required: ['kind', 'id', 'name'],
  additionalProperties: false,
};

function whole(properties: Record<string, JsonSchema>, optional: Record<string, JsonSchema> = {}): Validate {
  const all = { ...properties, ...optional };
  return compile({ type: 'object', properties: all, required: Object.keys(properties), additionalProperties: false });
}

const record = whole(
  {
    ...{ id: ID, type: { type: 'string' }, title: {}, slug: { type: 'string', minLength: 1 }, body: {} },
    ...{ status: { type: 'string', enum: STATUSES }, locale: {} },
    values: { type: 'object' },
    terms: { type: 'object', additionalProperties: { type: 'array', maxItems: MAX_TERMS, items: ID } },
    ...{ version: VERSION, published_at: TIME_OR_NULL, created_at: TIME, updated_at: TIME },
    ...{ trashed_at: TIME_OR_NULL, created_by: ACTOR, updated_by: ACTOR, revisions: COUNT },
  },
  { lost: { type: 'object', propertyNames: { pattern: '^f_[1-9a-z][0-9a-z]{0,7}$' } } },
);
const revision = whole({
  ...{ record: ID, ts: TS, version: VERSION, action: { type: 'string', enum: ACTIONS }, author: ACTOR },
  rollback_of: { ...TS, type: ['integer', 'null'] },
  changed: { type: 'array', items: { type: 'string', maxLength: 64 } },
  snapshot: { type: ['object', 'null'] },
});
const end = whole({ records: COUNT, revisions: COUNT }, { skipped: { type: 'object' } });

/** @throws {ValidationError} with all that is wrong with it */
export function requireRecordLine(data: unknown): RecordLine {
  requireFit(record, data);
  // The schema has said so.
  return data as RecordLine;
}

/** @throws {ValidationError} with all that is wrong with it */
export function requireRevisionLine(data: unknown): RevisionLine {
  requireFit(revision, data);
  // The schema has said so.
  return data as RevisionLine;
}

/** @throws {ValidationError} with all that is wrong with it */
export function requireEndLine(data: unknown): EndLine {
  requireFit(end, data);
  const { skipped } = data as { skipped?: unknown };
  if (skipped !== undefined && !isLeftOut(skipped)) {
    throw new ValidationError([
      { field: 'skipped', rule: 'shape', message: 'skipped must list the rows that are missing.' },
    ]);
  }
  // The schema has said so.
  return data as EndLine;
}

function requireFit(validate: Validate, data: unknown): void {
  const faults = faultsOf(validate(data), new Set());
  if (faults.length > 0) throw new ValidationError(faults);
}
