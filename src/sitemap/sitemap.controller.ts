import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../common/access/access.decorators.js';
import { IdPipe } from '../common/http/routes/id.pipe.js';
import { emptyAnswer } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../common/openapi/endpoint.js';
import { noSuchFile, SitemapSender } from './sitemap-sender.js';
import { SitemapDocuments } from './sitemap-documents.js';

const FRESHNESS =
  'Made from the database as it is when it is asked for. It may be kept by caches that ask each time whether it is still good.';

/** An XML file of the sitemaps protocol. */
const file = (description: string) => ({
  200: { ...emptyAnswer(description, 'ETag'), content: { 'application/xml': { schema: { type: 'string' as const } } } },
});

/** Serves the documents for search engines. Public, since they name published records only. */
@Public()
@Controller()
@EndpointGroup('Sitemap')
export class SitemapController {
  constructor(
    private readonly documents: SitemapDocuments,
    private readonly sender: SitemapSender,
  ) {}

  @Get('sitemap.xml')
  @Endpoint('getSitemap', 'The sitemap', {
    description: `Addresses of all published records of types with \`sitemap: true\`; above 45,000 a list of \`/sitemap-{part}.xml\`. ${FRESHNESS}`,
    answers: file('A `urlset`, or a `sitemapindex` if one file is not enough.'),
  })
  async whole(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.sender.send(await this.documents.whole(), request, response);
  }

  @Get('sitemap-:part.xml')
  @Endpoint('getSitemapPart', 'One part of the sitemap', {
    description: `Addresses of published records whose ids are in one range of 45,000. ${FRESHNESS}`,
    answers: file('A `urlset`.'),
    fails: ['not_found'],
  })
  async part(
    @Param('part', new IdPipe(noSuchFile)) part: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.sender.send(await this.documents.part(part), request, response);
  }

  @Get('robots.txt')
  @Endpoint('getRobots', 'What programs that walk the site are asked', {
    description: 'Names the sitemap, and asks them to leave `/api/` alone.',
    answers: {
      200: {
        description: 'Rules of the Robots Exclusion Protocol (RFC 9309).',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  })
  robotsText(@Res() response: Response): void {
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.end(this.documents.robots());
  }
}
