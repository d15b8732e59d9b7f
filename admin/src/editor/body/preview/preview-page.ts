import { place } from '../../../place.js';
import { safeHtml } from './safe-html.js';

/** Colours of the console that the page has, too. */
const COLOURS = ['color-body', 'color-text', 'color-dimmed', 'color-anchor'].map((name) => `--mantine-${name}`);
const OWN_COLOURS = ['--c-line', '--c-code'];

/**
 * A whole page for a frame of no origin. Its policy, beside that of the console, which it has too: nothing is fetched
 * but images of the service itself, and the one style is the one below.
 */
export function previewPage(text: string, kind: 'markdown' | 'html', scheme: 'light' | 'dark'): string {
  const { nonce, serviceUrl } = place;
  const policy = `default-src 'none'; img-src ${new URL(serviceUrl).origin} data:; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return [
    `<!doctype html><html lang="" dir="auto"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="color-scheme" content="${scheme}"><title></title>`,
    `<style nonce="${nonce}">:root{${colours()}}${STYLE}</style></head>`,
    `<body>${safeHtml(text, kind)}</body></html>`,
  ].join('');
}

/** Values of the colours in the present scheme. */
function colours(): string {
  const now = getComputedStyle(document.documentElement);
  return [...COLOURS, ...OWN_COLOURS].map((name) => `${name}:${now.getPropertyValue(name)};`).join('');
}

const STYLE = `
html { background: var(--mantine-color-body); color: var(--mantine-color-text); }
body { margin: 0; padding: 0 0 48px; max-width: 74ch; overflow-wrap: anywhere;
  font: 17px/1.75 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
body > :first-child { margin-top: 0; }
p, ul, ol, blockquote, pre, table, figure { margin: 0 0 1em; }
h1, h2, h3, h4, h5, h6 { margin: 1.5em 0 .5em; font-weight: 680; line-height: 1.3; letter-spacing: -.012em; }
h1 { font-size: 1.7em; } h2 { font-size: 1.4em; } h3 { font-size: 1.18em; } h4, h5, h6 { font-size: 1em; }
a { color: var(--mantine-color-anchor); text-underline-offset: 3px; }
ul, ol { padding-left: 1.5em; } li { margin: .2em 0; } li > p { margin: 0 0 .4em; }
li:has(> input), li:has(> p > input) { list-style: none; margin-left: -1.4em; }
input { width: 15px; height: 15px; margin: 0 .5em 0 0; vertical-align: -2px; }
blockquote { margin-left: 0; padding-left: 18px; border-left: 3px solid var(--c-line); color: var(--mantine-color-dimmed); }
code, pre, kbd { font-family: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace; font-size: .86em; }
code, kbd { padding: .15em .35em; border-radius: 5px; background: var(--c-code); }
pre { padding: 14px 16px; overflow: auto; border-radius: 8px; line-height: 1.6; background: var(--c-code); }
pre code { padding: 0; font-size: 1em; background: none; }
hr { margin: 2em 0; border: 0; border-top: 1px solid var(--c-line); }
table { display: block; max-width: 100%; overflow: auto; border-collapse: collapse; font-size: .92em; }
th, td { padding: 6px 12px; border: 1px solid var(--c-line); text-align: left; vertical-align: top; }
th { background: var(--c-code); font-weight: 650; }
img { max-width: 100%; height: auto; border-radius: 8px; }
span.image { display: inline-block; padding: 6px 12px; border-radius: 8px; border: 1px dashed var(--mantine-color-dimmed);
  color: var(--mantine-color-dimmed); font-size: 14px; line-height: 20px; }
`;
