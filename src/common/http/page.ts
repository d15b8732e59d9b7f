import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import type { PageLink } from '../errors/domain-error.js';
import { escapeHtml } from '../text/escape-html.js';
import { pathOf } from './request-context.js';
import { endAnswer } from './sending/answer-sender.js';

/** One card in the middle of an empty page, on a telephone as wide as that. No script, no picture, nothing to load. */
const STYLE = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --line: #d5d9e0; --ink: #16181d; --text: #363b44;
  --quiet: #5c6370; --accent: #2f4fc0; --link: #2f4fc0; --alarm: #a3261c; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14161a; --card: #1f2228; --line: #3c424d; --ink: #f0f1f3; --text: #d3d6db; --quiet: #9ba1ab; --link: #93acff;
    --accent: #3f63d6; --alarm: #ff9a8f; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--page);
  color: var(--text); font: 16px/1.6 -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
main { width: 100%; max-width: 420px; padding: 36px 32px; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px; overflow-wrap: anywhere; }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 1.3; color: var(--ink); text-wrap: balance; }
p { margin: 0 0 16px; }
p:last-child, form:last-child { margin-bottom: 0; }
form { margin: 24px 0; }
label { display: block; margin: 0 0 6px; font-weight: 600; color: var(--ink); }
input { width: 100%; margin: 0 0 6px; padding: 12px 14px; font: inherit; color: var(--ink); background: var(--page);
  border: 1px solid var(--quiet); border-radius: 9px; }
small { display: block; margin: 0 0 20px; font-size: 14px; line-height: 1.5; color: var(--quiet); }
button { width: 100%; min-height: 48px; padding: 12px 20px; font: inherit; font-weight: 600; color: #fff;
  background: var(--accent); border: 0; border-radius: 9px; cursor: pointer; }
button:hover { filter: brightness(1.1); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--link); font-weight: 600; text-underline-offset: 3px; }
ul { margin: 0 0 16px; padding: 0; list-style: none; }
li { padding: 12px 0; border-top: 1px solid var(--line); }
li small { margin: 0; }
.alarm { color: var(--alarm); }
.service { margin: 0 0 20px; font-size: 14px; font-weight: 600; color: var(--quiet); }
.quiet { font-size: 14px; color: var(--quiet); }
@media (max-width: 480px) { main { padding: 28px 22px; } }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

interface PageHeaders {
  readonly status?: number;
  /** Whole `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
  /** Origins, beside our own, that a form may lead to in the end: a browser asks for each step of the way. */
  readonly formTargets?: readonly string[];
  /** Left out: the origin of a form is `null`. `strict-origin`: the origin is sent, but no address, which may have a secret. */
  readonly referrerPolicy?: 'same-origin' | 'strict-origin';
  /** True if nothing follows: then a link leads on to the site. */
  readonly isLast?: boolean;
}

/** An answer to a person in a browser: a small page of our own. */
export class Page {
  /** @param title plain text @param content HTML */
  constructor(
    readonly title: string,
    readonly content: string,
    readonly headers: PageHeaders = {},
  ) {}
}

export function sendPage(response: Response, { title, content, headers }: Page): void {
  const bytes = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${serviceLine(response)}<h1>${escapeHtml(title)}</h1>
${content}${headers.isLast === true ? `\n${linkTo(siteLink(response.req))}` : ''}
</main>
</body>
</html>
`);
  if (headers.status !== undefined) response.statusCode = headers.status;
  for (const cookie of headers.cookies ?? []) response.appendHeader('Set-Cookie', cookie);
  if (headers.referrerPolicy !== undefined) response.setHeader('Referrer-Policy', headers.referrerPolicy);
  response.setHeader('Content-Security-Policy', policy(headers.formTargets ?? []));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  endAnswer(response, bytes);
}

export function siteLink({ app, originalUrl }: Request): PageLink {
  const site = app.locals.site as string | undefined;
  if (site !== undefined) return { href: site, label: `Go to ${new URL(site).host}` };
  // Relative, since a gateway may have the service below a path of its own.
  const href = '../'.repeat(pathOf(originalUrl).split('/').length - 2) || './';
  return { href, label: 'Go to the start page' };
}

export function linkTo({ href, label }: PageLink): string {
  return `<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`;
}

/** The name that people know the service by. Never the host of the request, which is anything. */
function serviceLine({ app }: Response): string {
  const { service } = app.locals;
  return typeof service === 'string' ? `<p class="service">${escapeHtml(service)}</p>\n` : '';
}

function policy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
