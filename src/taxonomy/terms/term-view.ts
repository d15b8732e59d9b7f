import { schemaRef } from '../../common/openapi/describe.js';
import { named } from '../../common/openapi/endpoint.js';
import { objectSchema, type JsonSchema } from '../../common/schema/json-schema.js';
import { timeText } from '../../common/text/time-text.js';
import { COUNT, listOfItems, TIME } from '../taxonomies/taxonomy-view.js';
import { MAX_DEPTH } from './term-keys.js';
import type { TermBody } from './term-input.js';
import type { StoredTerm } from './term-row.js';

/** A term as the API shows it. */
export interface TermView extends TermBody {
  readonly id: number;
  readonly path: string;
  readonly depth: number;
  /** Records that have the term itself and that the caller may see. */
  readonly count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const PARTS: Readonly<Record<keyof TermView, JsonSchema>> = {
  id: { type: 'integer', minimum: 1 },
  type: { type: 'string', description: 'Name of the taxonomy.' },
  name: { type: 'string' },
  slug: { type: 'string' },
  description: { type: ['string', 'null'] },
  parent_id: { type: ['integer', 'null'] },
  path: { type: 'string', description: 'Slugs from the top to the term.', examples: ['news/world'] },
  depth: { type: 'integer', minimum: 1, maximum: MAX_DEPTH, description: '1 for a term without a parent.' },
  position: COUNT,
  count: { ...COUNT, description: 'Records that have the term itself and that the caller may see.' },
  created_at: TIME,
  updated_at: TIME,
};

/** {@link TermView} in the description of the API. */
export const TERM = named('Term', objectSchema(PARTS, { description: 'A term of a taxonomy.' }));

const NODE = named(
  'TermNode',
  objectSchema(
    { ...PARTS, children: { type: 'array', items: schemaRef('TermNode') } },
    { description: 'A term, and the terms below it.' },
  ),
);

const MORE = { hierarchical: { type: 'boolean', description: 'Whether terms can have terms below them.' } };

export const TERM_LIST = named('TermList', {
  anyOf: [listOfItems(TERM, MORE, 1_000), listOfItems(NODE, MORE)],
  description: 'A page of terms, or with `format=tree` all of them in one another.',
});

export function termView(term: StoredTerm, count: number): TermView {
  return {
    id: term.id,
    type: term.taxonomy,
    name: term.name,
    slug: term.slug,
    description: term.description,
    parent_id: term.parentId,
    path: term.path,
    depth: term.depth,
    position: term.position,
    count,
    created_at: timeText(term.createdAt),
    updated_at: timeText(term.updatedAt),
  };
}
