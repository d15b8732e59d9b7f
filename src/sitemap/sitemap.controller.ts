import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../common/access/access.decorators.js';
import { IdPipe } from '../common/http/routes/id.pipe.js';
import { noSuchFile, SitemapSender } from './documents/sitemap-sender.js';
import { Robots } from './robots.js';
import { SitemapDocuments } from './documents/sitemap-documents.js';

/** What search engines read. Public, since it names published records only. */
@Public()
@Controller()
export class SitemapController {
  constructor(
    private readonly documents: SitemapDocuments,
    private readonly sender: SitemapSender,
    private readonly robots: Robots,
  ) {}

  @Get('sitemap.xml')
  async whole(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.sender.send(await this.documents.whole(), request, response);
  }

  @Get('sitemap-:part.xml')
  async part(
    @Param('part', new IdPipe(noSuchFile)) part: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.sender.send(await this.documents.part(part), request, response);
  }

  @Get('robots.txt')
  robotsText(@Res() response: Response): void {
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.end(this.robots.text());
  }
}
