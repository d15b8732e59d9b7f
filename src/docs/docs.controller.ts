import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../common/access/access.decorators.js';
import { DomainError } from '../common/errors/domain-error.js';
import { Answer } from '../common/http/answer.js';
import { answer, HTML } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../common/openapi/endpoint.js';
import { DemoToken } from './demo-token.js';
import { DocsAssets } from './docs-assets.js';
import { OpenApiDocument } from './openapi-document.js';

/** Policy of the page: its own files and the API, no inline script, no form. Swagger UI draws its arrows as `data:` images. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const ICON =
  "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%233f4bd1'/%3E" +
  "%3Cpath d='M12 9l-6 7 6 7M20 9l6 7-6 7' fill='none' stroke='white' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/** The page, which scripts fill from `openapi.json`. @param folder relative path to `docs/` @param token of the demo */
function docsPage(version: string, folder: './' | 'docs/', token: string | null): string {
  const assets = `${folder}assets/${version}`;
  const description = folder === './' ? '../openapi.json' : 'openapi.json';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${token === null ? '' : `<meta name="demo-token" content="${token}">\n`}<title>Content API – documentation</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<link rel="stylesheet" href="${assets}/docs.css">
<script src="${assets}/swagger-ui-bundle.js" defer></script>
<script src="${assets}/docs.js" defer></script>
</head>
<body>
<div id="docs"><noscript><p>This page needs JavaScript. The description itself is at <a href="${description}">openapi.json</a>.</p></noscript></div>
</body>
</html>
`;
}

const OPENAPI_DOCUMENT = named('OpenApiDocument', {
  type: 'object',
  description: 'An OpenAPI document, as its specification says.',
  additionalProperties: true,
});

@EndpointGroup('Documentation')
@Controller('api')
export class OpenApiController {
  constructor(private readonly document: OpenApiDocument) {}

  @Get('openapi.json')
  @Endpoint('getOpenApi', 'Read this description', {
    description: 'The OpenAPI document. It is current: a content type that was just made is in it.',
    answers: { 200: answer('The document.', OPENAPI_DOCUMENT, 'ETag') },
  })
  async openapi(): Promise<Answer<Buffer>> {
    const { json, etag } = await this.document.current();
    return Answer.tagged(json, etag, { isConditional: true });
  }
}

/** The same for everyone: it holds no content. */
@Public()
@Controller('api')
export class PublicOpenApiController extends OpenApiController {}

@Public()
@Controller('api')
@EndpointGroup('Documentation')
export class DocsController {
  constructor(
    private readonly assets: DocsAssets,
    private readonly demo: DemoToken,
  ) {}

  @Get('docs')
  @Endpoint('getDocs', 'Browse this description', {
    description: 'A page for people, on which each operation can be tried.',
    answers: { 200: { description: 'The page.', content: { 'text/html': HTML } } },
  })
  page(@Req() request: Request, @Res() response: Response): void {
    const token = this.demo.for(request);
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', token === null ? 'no-cache' : 'no-store');
    response.end(docsPage(this.assets.version, request.path.endsWith('/') ? './' : 'docs/', token));
  }

  @Get('docs/assets/:version/:name')
  asset(@Param('version') version: string, @Param('name') name: string, @Res() response: Response): void {
    const asset = this.assets.find(version, name);
    if (!asset) throw new DomainError('not_found', 'There is nothing at this address.');
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.sendFile(asset.name, { root: asset.folder });
  }
}
