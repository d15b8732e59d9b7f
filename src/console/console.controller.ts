import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { extname } from 'node:path';
import { Public } from '../common/access/access.decorators.js';
import { DomainError } from '../common/errors/domain-error.js';
import { Settings } from '../config/settings.js';
import { ConsoleFiles } from './console-files.js';
import { consolePage } from './console-page.js';

/** The console: one page at all addresses below `/admin`, and the files that it loads. */
@Public()
@Controller('admin')
export class ConsoleController {
  constructor(
    private readonly files: ConsoleFiles,
    private readonly settings: Settings,
  ) {}

  /** The name of an asset changes with its content. */
  @Get('assets/:name')
  async asset(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const built = await this.files.find();
    if (!built?.assets.has(name)) throw nothingHere();
    const packed = `${name}.gz`;
    const isPacked = built.assets.has(packed) && request.acceptsEncodings('gzip') === 'gzip';
    if (built.assets.has(packed)) response.setHeader('Vary', 'Accept-Encoding');
    if (isPacked) response.setHeader('Content-Encoding', 'gzip');
    response.type(extname(name));
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.sendFile(isPacked ? packed : name, { root: `${built.folder}/assets` });
  }

  @Get(['', '*rest'])
  async page(@Req() { path }: Request, @Res() response: Response): Promise<void> {
    const built = extname(path) === '' ? await this.files.find() : null;
    if (!built) throw nothingHere();
    const { publicUrl, corsOrigins, siteName } = this.settings;
    const { html, policy } = consolePage(built.page, {
      path,
      origins: [publicUrl, ...corsOrigins],
      service: siteName,
    });
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(html);
  }
}

function nothingHere(): DomainError {
  return new DomainError('not_found', 'There is nothing at this address.');
}
