import type { DocsAccess } from '../config/settings.js';
import type { OpenApiFragment, PathItem } from '../common/openapi/openapi.registry.js';
import { answer, answerOrPage, NOT_MODIFIED, parameterRef, schemaRef } from '../common/openapi/describe.js';

/** For newcomers, at both addresses that they try first. */
const home = (operationId: string): PathItem => ({
  get: {
    operationId,
    tags: ['Documentation'],
    summary: 'See what this is',
    description: 'Name, version and the first links: a page for browsers, JSON for programs.',
    security: [],
    responses: { '200': answerOrPage('What this is.', schemaRef('Home')) },
  },
});

const description = (isPublic: boolean): PathItem => ({
  get: {
    operationId: 'getOpenApi',
    tags: ['Documentation'],
    summary: 'Read this description',
    description: 'The OpenAPI document. It is current: a content type that was just made is in it.',
    ...(isPublic ? { security: [] } : {}),
    parameters: [parameterRef('IfNoneMatch')],
    responses: {
      '200': answer('The document.', schemaRef('OpenApiDocument'), 'ETag'),
      ...NOT_MODIFIED,
    },
  },
});

const page: PathItem = {
  get: {
    operationId: 'getDocs',
    tags: ['Documentation'],
    summary: 'Browse this description',
    description: 'A page for people, on which each operation can be tried.',
    security: [],
    responses: {
      '200': { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } },
    },
  },
};

const HOME_API: OpenApiFragment & Required<Pick<OpenApiFragment, 'paths'>> = {
  tags: [{ name: 'Documentation', description: 'What you are reading.' }],
  schemas: {
    OpenApiDocument: {
      type: 'object',
      description: 'An OpenAPI document, as its specification says.',
      additionalProperties: true,
    },
    Home: {
      type: 'object',
      required: ['name', 'version', 'description', 'links'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        version: { type: 'string' },
        description: { type: 'string' },
        links: { type: 'object', description: 'Paths by name.', additionalProperties: { type: 'string' } },
      },
    },
  },
  paths: {
    '/': home('getHome'),
    '/api': home('getApiHome'),
  },
};

/** What the documentation says about its own routes, as far as they are there. */
export function docsApi(access: DocsAccess): OpenApiFragment {
  const paths = {
    ...HOME_API.paths,
    ...(access === 'off' ? {} : { '/api/openapi.json': description(access === 'public') }),
    ...(access === 'public' ? { '/api/docs': page } : {}),
  };
  return { ...HOME_API, paths };
}
