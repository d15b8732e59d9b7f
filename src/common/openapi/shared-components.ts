import type { OpenAPIV3_1 } from 'openapi-types';

/** Parameters that several features take. They have no examples: the page of the API would send those as they stand. */
export const sharedParameters = {
  Page: {
    name: 'page',
    in: 'query',
    description: 'Which page, from 1. Past the last one the list is empty.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  PerPage: {
    name: 'per_page',
    in: 'query',
    description: 'Items on a page. More than 100 are answered as 100.',
    schema: { type: 'integer', minimum: 1, default: 15 },
  },
  PerThousand: {
    name: 'per_page',
    in: 'query',
    description: 'Items on a page. More than 1,000 are answered as 1,000.',
    schema: { type: 'integer', minimum: 1, default: 1_000 },
  },
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Write only if the version is still this one: the `ETag` of the last answer, such as `"7"`.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Carry the request out once, however often it is sent within a day: a UUID, or 1 to 255 other visible ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 without a body if the `ETag` is still this one, such as `"7"`.',
    schema: { type: 'string' },
  },
} satisfies Record<string, OpenAPIV3_1.ParameterObject>;

export type SharedParameter = keyof typeof sharedParameters;

/** Response headers, under the names that they have on the wire. */
export const sharedHeaders = {
  ETag: { description: 'Validator of this answer, for `If-None-Match` and `If-Match`.', schema: { type: 'string' } },
  Location: { description: 'Where the created thing is.', schema: { type: 'string', format: 'uri-reference' } },
  'Idempotent-Replayed': {
    description: 'Only of a request that was carried out before, by its `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description:
      'The pages around this one (RFC 8288): `first`, `prev`, `next`, as far as there are some. Relative to the address asked for.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The credential that is asked for.', schema: { type: 'string' } },
  'Service-Tokens': {
    description: 'How many active API tokens of services the user is or was responsible for.',
    schema: { type: 'integer' },
  },
  'RateLimit-Limit': {
    description: 'Requests that are allowed within the time of the limit: a minute, mostly.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'Requests left.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until one more is allowed.', schema: { type: 'integer' } },
} satisfies Record<string, OpenAPIV3_1.HeaderObject>;

export type SharedHeader = keyof typeof sharedHeaders;

export const sharedResponses = {
  NotModified: { description: 'Unchanged.', headers: { ETag: { $ref: '#/components/headers/ETag' } } },
} satisfies Record<string, OpenAPIV3_1.ResponseObject>;

export const CONTENT_TYPE_NAME: OpenAPIV3_1.ReferenceObject = { $ref: '#/components/schemas/ContentTypeName' };

const LIST_META = {
  ListMeta: {
    type: 'object',
    description: 'What a list says about itself.',
    required: ['per_page', 'current_page'],
    additionalProperties: false,
    properties: {
      total: { type: 'integer', minimum: 0, description: 'All matching items; absent with `count=none`.' },
      per_page: { type: 'integer', minimum: 1, maximum: 100 },
      current_page: { type: 'integer', minimum: 1 },
      last_page: { type: 'integer', minimum: 1, description: 'Absent with `count=none`.' },
      next_cursor: { type: ['string', 'null'], description: 'Opaque; `null` on the last page.' },
    },
  },
} as const satisfies Readonly<Record<string, OpenAPIV3_1.SchemaObject>>;

export function sharedSchemas(typeNames: readonly string[]): Record<string, OpenAPIV3_1.SchemaObject> {
  const names = typeNames.length === 0 ? {} : { enum: [...typeNames] };
  return {
    ...LIST_META,
    ContentTypeName: { type: 'string', description: 'Name of a content type, as of now.', ...names },
  };
}
