import { named } from '../../common/openapi/endpoint.js';
import { objectSchema, type JsonSchema } from '../../common/schema/json-schema.js';
import { timeText } from '../../common/text/time-text.js';
import { TAXONOMY_CREATE, type TaxonomyBody } from './taxonomy-input.js';
import type { Taxonomy } from './taxonomy.js';

/** A taxonomy as the API shows it. */
export interface TaxonomyView extends TaxonomyBody {
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };

/** @param most items on a page; absent: all stand on one */
export function listOfItems(
  items: JsonSchema,
  more: Readonly<Record<string, JsonSchema>> = {},
  most?: number,
): JsonSchema {
  const page: JsonSchema = { type: 'integer', minimum: 1 };
  const perPage = most === undefined ? page : { ...page, maximum: most };
  const meta = { total: COUNT, per_page: perPage, current_page: page, last_page: page, ...more };
  const description = 'What the list says about itself.';
  return objectSchema(
    { data: { type: 'array', items }, meta: objectSchema(meta, { description }) },
    { description: '' },
  );
}

/** {@link TaxonomyView} in the description of the API. */
export const TAXONOMY = named(
  'Taxonomy',
  objectSchema(
    { ...TAXONOMY_CREATE.properties, version: { type: 'integer', minimum: 1 }, created_at: TIME, updated_at: TIME },
    { description: 'A way to order records by terms.' },
  ),
);

export const TAXONOMY_LIST = named('TaxonomyList', listOfItems(TAXONOMY));

export function taxonomyView(taxonomy: Taxonomy): TaxonomyView {
  return {
    name: taxonomy.name,
    label: taxonomy.label,
    label_plural: taxonomy.labelPlural,
    description: taxonomy.description,
    hierarchical: taxonomy.isHierarchical,
    version: taxonomy.version,
    created_at: timeText(taxonomy.createdAt),
    updated_at: timeText(taxonomy.updatedAt),
  };
}
