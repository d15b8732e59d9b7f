import type { OpenAPIV3_1 } from 'openapi-types';

export const TAG = 'Taxonomy';

export const TAXONOMY_PARAMETER: OpenAPIV3_1.ParameterObject = {
  name: 'taxonomy',
  in: 'path',
  required: true,
  description: 'Name of the taxonomy.',
  schema: { type: 'string' },
  example: 'category',
};
