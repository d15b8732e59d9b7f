import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../common/access/access.decorators.js';
import { DomainError } from '../common/errors/domain-error.js';
import { Answer } from '../common/http/answer.js';
import { Page } from '../common/http/page.js';
import { answerOrPage, objectOf } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../common/openapi/endpoint.js';
import { packageInfo } from '../common/package-info.js';
import { Settings, type DocsAccess } from '../config/settings.js';
import { ConsoleFiles } from '../console/console-files.js';

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
interface Home {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Paths by name. */
  readonly links: Readonly<Record<string, string>>;
}

const HOME = named(
  'Home',
  objectOf({
    name: { type: 'string' },
    version: { type: 'string' },
    description: { type: 'string' },
    links: { type: 'object', description: 'Paths by name.', additionalProperties: { type: 'string' } },
  }),
);

/** The same for people. @param up relative path from the page to the root */
function homePage({ name, version, description }: Home, access: DocsAccess, up: string): Page {
  const rows = places(access).map(
    ([, [path, title, purpose]]) => `<li><a href="${up}${path}">${title}</a><small>${purpose}</small></li>`,
  );
  return new Page(
    name,
    `<p>${description}</p>\n<ul>\n${rows.join('\n')}\n</ul>\n<p class="quiet">Version ${version}</p>`,
  );
}

/** Relative path to the root from each address. */
const UP: ReadonlyMap<string, string> = new Map([
  ['/', ''],
  ['/api', ''],
  ['/api/', '../'],
]);

/** For newcomers, at both addresses that they try first. */
const DescribedHome = (id: string) =>
  Endpoint(id, 'See what this is', {
    description: 'Name, version and the first links: a page for browsers, JSON for programs.',
    answers: { 200: answerOrPage('What this is.', HOME) },
  });

@Public()
@Controller()
@EndpointGroup('Documentation')
export class HomeController {
  private readonly home: Home;
  constructor(
    private readonly settings: Settings,
    private readonly consoleFiles: ConsoleFiles,
  ) {
    const { docs, gateway } = settings;
    const { version, description } = packageInfo();
    const links = places(docs).map(([name, [path]]) => [name, `${gateway.basePath}/${path}`]);
    this.home = { name: 'Content API', version, description, links: Object.fromEntries(links) as Home['links'] };
  }

  /** The console for people, where there is one; for programs what there is. */
  @Get()
  @DescribedHome('getHome')
  @Header('Vary', 'Accept')
  async root(@Req() request: Request): Promise<Home | Page | Answer<undefined>> {
    const answer = this.read(request);
    const hasConsole = isPerson(request) && (await this.consoleFiles.find()) !== null;
    // Relative where a gateway may strip a path of its own.
    return hasConsole ? Answer.seeOther(this.settings.gateway.basePath === '' ? 'admin/' : '/admin/') : answer;
  }

  @Get('api')
  @DescribedHome('getApiHome')
  @Header('Vary', 'Accept')
  read(@Req() request: Request): Home | Page {
    const root = this.rootOf(request);
    return isPerson(request) ? homePage(this.home, this.settings.docs, root) : this.home;
  }

  /** The relative path to the root. @throws {DomainError} `not_found` for `//`, which the router takes for the root */
  private rootOf({ path }: Request): string {
    const up = UP.get(path);
    if (up === undefined) throw new DomainError('not_found', 'There is nothing at this address.');
    const { basePath } = this.settings.gateway;
    // `/cms` and `/cms/` are one address: nothing relative leads on from both.
    return basePath === '' ? up : `${basePath}/`;
  }
}

/** Programs accept anything and get JSON; browsers name HTML first. */
function isPerson(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}
