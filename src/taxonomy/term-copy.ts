import { MAX_ID } from '../common/id.js';
import type { JsonSchema } from '../common/schema/json-schema.js';
import { reader } from './taxonomies/input.js';
import { ofComposed, TERM_CREATE, type TermBody } from './terms/term-input.js';

/** A term as a file of another database has it. */
export type CopyBody = Omit<TermBody, 'type'> & {
  readonly id: number;
  readonly taxonomy: string;
  /** Absent: it was made by being assigned, or the file is older than this mark. */
  readonly made_by_hand?: true;
  readonly merged?: readonly { readonly id: number; readonly slug: string }[];
  readonly created_at: string;
  readonly updated_at: string;
};

const ID: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_ID };
const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const { type, ...own } = (TERM_CREATE as { properties: Record<string, JsonSchema> }).properties;
const MERGED: JsonSchema = {
  type: 'object',
  properties: { id: ID, slug: own.slug },
  required: ['id', 'slug'],
  additionalProperties: false,
};
const COPY: JsonSchema = {
  type: 'object',
  properties: {
    ...own,
    // As an earlier release has taken it.
    name: { ...own.name, 'x-no-overrides': false },
    ...{ id: ID, taxonomy: type, created_at: TIME, updated_at: TIME },
    made_by_hand: { const: true },
    merged: { type: 'array', items: MERGED },
  },
  required: ['id', 'taxonomy', 'slug', 'name', 'description', 'parent_id', 'position', 'created_at', 'updated_at'],
  additionalProperties: false,
};
/** The term that a line defines, and what is wrong with it. */
export const readCopy = ofComposed(reader<CopyBody>(COPY, ''));
