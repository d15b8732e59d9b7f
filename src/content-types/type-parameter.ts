import type { OpenAPIV3_1 } from 'openapi-types';

/** `{type}` in a path. */
export const TYPE_NAME: OpenAPIV3_1.ParameterObject = {
  name: 'type',
  in: 'path',
  required: true,
  description: 'Name of the content type.',
  schema: { type: 'string' },
  example: 'post',
};
