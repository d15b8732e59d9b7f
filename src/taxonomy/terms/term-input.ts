import { NO_CONTROLS } from '../../common/schema/formats.js';
import { objectSchema, type JsonSchema } from '../../common/schema/json-schema.js';
import { composed, MAX_SLUG_LENGTH, SLUG_PATTERN } from '../../common/text/slug.js';
import { reader, type Input } from '../taxonomies/taxonomy-input.js';
import { MAX_POSITION } from './term-keys.js';

/** The body of a request that makes or changes a term. */
export interface TermBody {
  /** Name of the taxonomy. */
  readonly type: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly parent_id: number | null;
  readonly position: number;
}

/** One line that is not blank. */
const NAME: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: NO_CONTROLS,
  'x-no-overrides': true,
  'x-not-blank': true,
  description: 'One line.',
};
const OWN = {
  name: NAME,
  slug: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SLUG_LENGTH,
    pattern: SLUG_PATTERN,
    description: 'Names the term in addresses. Unique in its taxonomy; made from the name when left out.',
  },
  description: { type: ['string', 'null'], maxLength: 10_000 },
  parent_id: { type: ['integer', 'null'], minimum: 1, description: 'The term above it.' },
  position: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_POSITION,
    description: 'Place among those with the same parent; equal ones go by name.',
  },
} as const satisfies Readonly<Record<keyof Omit<TermBody, 'type'>, JsonSchema>>;

/** Body of `POST /api/cms/taxonomy`. */
export const TERM_CREATE = objectSchema(
  { type: { type: 'string', description: 'Name of the taxonomy.' }, ...OWN },
  { description: 'A term that is to be created.', required: ['type', 'name'] },
);

/** Body of a change: what is not sent stays. */
export const TERM_UPDATE = objectSchema(OWN, { description: 'The parts to change; the rest stays.', required: [] });

/** Body of a merge. */
export const TERM_MERGE = objectSchema(
  { into: { type: ['integer', 'string'], description: 'Its id or its slug.' } },
  { description: 'The term that takes the place of this one.' },
);

const READ_ONLY = 'id path depth count created_at updated_at';

export const readNewTerm = ofComposed(reader<TermBody>(TERM_CREATE, READ_ONLY));
export const readTermChange = ofComposed(reader<TermBody>(TERM_UPDATE, `type ${READ_ONLY}`));
export const readMerge = reader<{ readonly into: number | string }>(TERM_MERGE, '');

/** The form in which slugs are kept is the one that is checked. */
function ofComposed<Body>(read: (body: unknown) => Input<Body>): (body: unknown) => Input<Body> {
  return (sent) => {
    const { slug } = (sent ?? {}) as { readonly slug?: unknown };
    return read(typeof slug === 'string' ? { ...(sent as object), slug: composed(slug) } : sent);
  };
}
