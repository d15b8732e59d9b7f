import { escapeHtml } from '../common/text/escape-html.js';
import { plain, subjectOf, type Letter } from './letter.js';

const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/** Styles stand at the elements, since many mail programs read nothing else. These classes add dark colours and less margin. */
const STYLE = `
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    @media (max-width: 480px) {
      .frame { padding: 24px 12px !important; }
      .card { padding: 28px 22px !important; }
      .code { font-size: 30px !important; }
    }
    @media (prefers-color-scheme: dark) {
      .page { background-color: #14161a !important; }
      .card { background-color: #1f2228 !important; border-color: #30343c !important; }
      .ink { color: #f0f1f3 !important; }
      .text { color: #d3d6db !important; }
      .quiet { color: #9ba1ab !important; }
      .link { color: #9db8ff !important; }
      .box { background-color: #14161a !important; border-color: #30343c !important; }
      .button { background-color: #3f63d6 !important; }
    }`;

/** A letter as HTML: nothing is loaded from anywhere, so opening it leaves no trace on a server. */
export function htmlOf(letter: Letter, service: string): string {
  const subject = escaped(subjectOf(letter));
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
  <title>${subject}</title>
  <style>${STYLE}
  </style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="page frame" align="center" style="padding:40px 16px;background-color:#f3f4f6;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;table-layout:fixed;">
${sentBy(service)}<tr><td class="card" style="padding:36px 40px;background-color:#ffffff;border:1px solid #e3e5e9;border-radius:14px;">
<h1 class="ink" style="margin:0 0 18px;font-family:${FONT};font-size:22px;line-height:1.3;font-weight:650;color:#16181d;overflow-wrap:anywhere;">${subject}</h1>
${contentOf(letter)}</td></tr>
${footerOf(letter)}</table>
</td></tr>
</table>
</body>
</html>
`;
}

function sentBy(name: string): string {
  return `<tr><td class="quiet" style="padding:0 4px 14px;font-family:${FONT};font-size:14px;line-height:1.4;font-weight:600;color:#5c6370;overflow-wrap:anywhere;">${escaped(name)}</td></tr>
`;
}

function contentOf({ paragraphs, code, action }: Letter): string {
  return [
    ...paragraphs.map(paragraph),
    ...(code === undefined ? [] : [codeBox(code)]),
    ...(action === undefined ? [] : [button(action), address(action)]),
  ].join('');
}

function paragraph(text: string): string {
  const lines = escaped(text).replaceAll('\n', '<br>');
  return `<p class="text" style="margin:0 0 16px;font-family:${FONT};font-size:16px;line-height:1.6;color:#363b44;overflow-wrap:anywhere;">${lines}</p>
`;
}

/** In one piece, so that one double click takes all of it. */
function codeBox(code: string): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;">
<tr><td class="box" align="center" style="padding:18px 12px;background-color:#f3f4f6;border:1px solid #e3e5e9;border-radius:10px;">
<strong class="code ink" style="font-family:${MONO};font-size:34px;line-height:1.2;font-weight:600;letter-spacing:0.18em;margin-right:-0.18em;color:#16181d;overflow-wrap:anywhere;">${escaped(code)}</strong>
</td></tr>
</table>
`;
}

function button({ label, url }: { readonly label: string; readonly url: string }): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;">
<tr><td class="button" align="center" style="background-color:#2f4fc0;border-radius:9px;">
<a class="button" href="${escaped(url)}" style="display:inline-block;padding:14px 26px;background-color:#2f4fc0;border-radius:9px;font-family:${FONT};font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none;">${escaped(label)}</a>
</td></tr>
</table>
`;
}

function address({ url }: { readonly url: string }): string {
  return `<p class="quiet" style="margin:0;font-family:${FONT};font-size:13px;line-height:1.55;color:#5c6370;">If the button does not work, open this address:<br>
<a class="link" href="${escaped(url)}" style="color:#2f4fc0;overflow-wrap:anywhere;word-break:break-all;">${escaped(url)}</a></p>
`;
}

function footerOf({ footer }: Letter): string {
  if (footer === undefined) return '';
  return `<tr><td class="quiet" style="padding:18px 4px 0;font-family:${FONT};font-size:13px;line-height:1.55;color:#5c6370;overflow-wrap:anywhere;">${escaped(footer).replaceAll('\n', '<br>')}</td></tr>
`;
}

function escaped(text: string): string {
  return escapeHtml(plain(text));
}
