import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { extname } from 'node:path';
import { Public } from '../common/access/access.decorators.js';
import { DomainError } from '../common/errors/domain-error.js';
import { Settings } from '../config/settings.js';
import { ConsoleFiles } from './console-files.js';
import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../common/text/escape-html.js';

/** The place in the built page of what differs from answer to answer. */
const MARK = '<!-- place -->';

/**
 * The page of the console for one answer, and the policy that fits it. Its nonce is for styles that libraries add. The base
 * is relative, so that the page works below a path of a gateway.
 *
 * @param path as the service sees it: `/admin/content/post`
 */
function consolePage(built: string, path: string, { publicUrl, corsOrigins, siteName }: Settings) {
  const nonce = randomBytes(16).toString('base64');
  // Origins whose pages may keep a session; that of the service itself comes first.
  const origins = escapeHtml([publicUrl, ...corsOrigins].join(' '));
  const place = [
    `<base href="${baseOf(path)}">`,
    `<meta name="place" nonce="${nonce}" data-origins="${origins}" data-service="${escapeHtml(siteName)}">`,
  ];
  return { html: built.replace(MARK, () => place.join('\n')), policy: policyOf(nonce) };
}

/** Relative path from a page to `/admin/`: `/admin/content/post` -> `../` */
function baseOf(path: string): string {
  const steps = path.split('/').length - 3;
  return steps < 0 ? 'admin/' : '../'.repeat(steps) || './';
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

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
    const { html, policy } = consolePage(built.page, path, this.settings);
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(html);
  }
}

function nothingHere(): DomainError {
  return new DomainError('not_found', 'There is nothing at this address.');
}
