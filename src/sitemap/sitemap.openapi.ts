import type { OpenAPIV3_1 } from 'openapi-types';
import { emptyAnswer, failures, NOT_MODIFIED, parameterRef } from '../common/openapi/describe.js';
import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';

const FRESHNESS =
  'Made from the database as it is when it is asked for. It may be kept by caches that ask each time whether it is still good.';

/** An XML file of the sitemaps protocol. */
function file(description: string): OpenAPIV3_1.ResponsesObject {
  const found = emptyAnswer(description, 'ETag');
  return {
    '200': { ...found, content: { 'application/xml': { schema: { type: 'string' } } } },
    ...NOT_MODIFIED,
  };
}

/** The description of the routes of the sitemap. */
export const SITEMAP_API: OpenApiFragment = {
  tags: [{ name: 'Sitemap', description: 'For search engines.' }],
  paths: {
    '/sitemap.xml': {
      get: {
        operationId: 'getSitemap',
        tags: ['Sitemap'],
        summary: 'The sitemap',
        description: `Addresses of all published records of types with \`sitemap: true\`; above 45,000 a list of \`/sitemap-{part}.xml\`. ${FRESHNESS}`,
        security: [],
        parameters: [parameterRef('IfNoneMatch')],
        responses: file('A `urlset`, or a `sitemapindex` if one file is not enough.'),
      },
    },
    '/sitemap-{part}.xml': {
      get: {
        operationId: 'getSitemapPart',
        tags: ['Sitemap'],
        summary: 'One part of the sitemap',
        description: `Addresses of published records whose ids are in one range of 45,000. ${FRESHNESS}`,
        security: [],
        parameters: [
          { name: 'part', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          parameterRef('IfNoneMatch'),
        ],
        responses: { ...file('A `urlset`.'), ...failures('not_found') },
      },
    },
    '/robots.txt': {
      get: {
        operationId: 'getRobots',
        tags: ['Sitemap'],
        summary: 'What programs that walk the site are asked',
        description: 'Names the sitemap, and asks them to leave `/api/` alone.',
        security: [],
        responses: {
          '200': {
            description: 'Rules of the Robots Exclusion Protocol (RFC 9309).',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
        },
      },
    },
  },
};
