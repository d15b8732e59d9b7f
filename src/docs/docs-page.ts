/**
 * Policy of the page: it loads its own files and the API. Swagger UI draws its arrows as `data:` images.
 * No inline script; a form is never sent by the browser itself.
 */
export const PAGE_POLICY = [
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

/**
 * The frame of the page; the scripts fill it from `openapi.json`. All addresses are relative, for services below a path.
 *
 * @param folder what leads from the address of the page to `docs/`
 * @param token of the demo, to fill in
 */
export function docsPage(version: string, folder: './' | 'docs/', token: string | null): string {
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
