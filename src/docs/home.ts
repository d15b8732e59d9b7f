import { Page } from '../common/http/page.js';
import { objectOf } from '../common/openapi/describe.js';
import { named } from '../common/openapi/endpoint.js';
import { packageInfo } from '../common/package-info.js';
import type { DocsAccess } from '../config/settings.js';

/** Places where a newcomer can go from here: the path, and what is there. */
const PLACES = {
  docs: ['api/docs', 'Documentation', 'Every route, to read and to try'],
  openapi: ['api/openapi.json', 'OpenAPI', 'The same for programs'],
  health: ['health/ready', 'Health', 'Whether requests may be sent here'],
  sitemap: ['sitemap.xml', 'Sitemap', 'What is published'],
} as const;

function places(access: DocsAccess): (readonly [string, (typeof PLACES)[keyof typeof PLACES]])[] {
  return Object.entries(PLACES).filter(
    ([name]) => (name !== 'docs' || access === 'public') && (name !== 'openapi' || access !== 'off'),
  );
}

/** The answer of the service at its root. */
export interface Home {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Paths by name. */
  readonly links: Readonly<Record<string, string>>;
}

export const HOME = named(
  'Home',
  objectOf({
    name: { type: 'string' },
    version: { type: 'string' },
    description: { type: 'string' },
    links: { type: 'object', description: 'Paths by name.', additionalProperties: { type: 'string' } },
  }),
);

/** @param access who reads the description of the API @param basePath at which a gateway shows the service */
export function home(access: DocsAccess, basePath: string): Home {
  const { version, description } = packageInfo();
  const links = places(access).map(([name, [path]]) => [name, `${basePath}/${path}`]);
  return { name: 'Content API', version, description, links: Object.fromEntries(links) as Home['links'] };
}

/** The same for people. @param up relative path from the page to the root */
export function homePage({ name, version, description }: Home, access: DocsAccess, up: string): Page {
  const rows = places(access).map(
    ([, [path, title, purpose]]) => `<li><a href="${up}${path}">${title}</a><small>${purpose}</small></li>`,
  );
  return new Page(
    name,
    `<p>${description}</p>\n<ul>\n${rows.join('\n')}\n</ul>\n<p class="quiet">Version ${version}</p>`,
  );
}
