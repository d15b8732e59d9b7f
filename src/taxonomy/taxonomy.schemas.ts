import type { OpenAPIV3_1 } from 'openapi-types';
import type { JsonSchema } from '../common/schema/json-schema.js';
import { TAXONOMY_CREATE, TAXONOMY_UPDATE } from './taxonomies/taxonomy-input.js';
import { MAX_DEPTH } from './terms/term-keys.js';
import { TERM_CREATE, TERM_MERGE, TERM_UPDATE } from './terms/term-input.js';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

const TERM_PARTS: Readonly<Record<string, JsonSchema>> = {
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

const CHILDREN: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/TermNode' } };

const TAXONOMY_PARTS: Readonly<Record<string, JsonSchema>> = {
  ...(TAXONOMY_CREATE.properties as Readonly<Record<string, JsonSchema>>),
  version: { type: 'integer', minimum: 1 },
  created_at: TIME,
  updated_at: TIME,
};

function whole(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties), additionalProperties: false };
}

const HIERARCHICAL: JsonSchema = { type: 'boolean', description: 'Whether terms can have terms below them.' };

/** @param most items on a page; absent: all stand on one */
function list(items: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}, most?: number): JsonSchema {
  const page: JsonSchema = { type: 'integer', minimum: 1 };
  return whole('', {
    data: { type: 'array', items },
    meta: whole('What the list says about itself.', {
      total: COUNT,
      per_page: most === undefined ? page : { ...page, maximum: most },
      current_page: page,
      last_page: page,
      ...more,
    }),
  });
}

const termRef: JsonSchema = { $ref: '#/components/schemas/Term' };
const nodeRef: JsonSchema = { $ref: '#/components/schemas/TermNode' };

/** Schemas of taxonomies and terms, by the names that the description of the API gives them. */
export const taxonomySchemas = {
  Term: whole('A term of a taxonomy.', TERM_PARTS),
  TermNode: whole('A term, and the terms below it.', { ...TERM_PARTS, children: CHILDREN }),
  TermList: {
    anyOf: [list(termRef, { hierarchical: HIERARCHICAL }, 1_000), list(nodeRef, { hierarchical: HIERARCHICAL })],
    description: 'A page of terms, or with `format=tree` all of them in one another.',
  },
  TermInput: TERM_CREATE,
  TermChange: TERM_UPDATE,
  TermMerge: TERM_MERGE,
  Taxonomy: whole('A way to order records by terms.', TAXONOMY_PARTS),
  TaxonomyList: list({ $ref: '#/components/schemas/Taxonomy' }),
  TaxonomyInput: TAXONOMY_CREATE,
  TaxonomyChange: TAXONOMY_UPDATE,
} as Readonly<Record<string, OpenAPIV3_1.SchemaObject>>; // JSON Schemas, which is what OpenAPI 3.1 takes
