import TurndownService from 'turndown';

/** Schemes of links that run something, or hold what they show: their words are kept without a target. */
const RUNNING = ['javascript:', 'vbscript:', 'data:'];

const service = new TurndownService({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
  hr: '---',
});
service.remove(['script', 'style', 'title', 'meta', 'noscript', 'iframe']);

/** Google Docs says by styles what is bold, and wraps all in a tag that is not. */
service.addRule('plain', {
  filter: (node) => node.nodeName === 'B' && /font-weight:\s*normal/.test(node.getAttribute('style') ?? ''),
  replacement: (content) => content,
});
service.addRule('bold', {
  filter: (node) => node.nodeName === 'SPAN' && /font-weight:\s*(bold|[6-9]00)/.test(node.getAttribute('style') ?? ''),
  replacement: (content) => (content.trim() === '' ? content : `**${content}**`),
});
service.addRule('running link', {
  filter: (node) => node instanceof HTMLAnchorElement && RUNNING.includes(node.protocol),
  replacement: (content) => content,
});
service.addRule('struck', {
  filter: ['del', 's'],
  replacement: (content) => `~~${content}~~`,
});
service.addRule('task', {
  filter: (node) => node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox',
  replacement: (_, node) => (node instanceof HTMLInputElement && node.checked ? '[x] ' : '[ ] '),
});
service.addRule('cell', {
  filter: ['th', 'td'],
  replacement: (content) =>
    ` ${content
      .trim()
      .replace(/\s*\n\s*/g, ' ')
      .replaceAll('|', '\\|')} |`,
});
service.addRule('row', {
  filter: 'tr',
  replacement: (content, node) => {
    const cells = node.querySelectorAll('th, td').length;
    return `\n|${content.replaceAll('\n', '')}${isFirst(node) ? `\n|${' --- |'.repeat(cells)}` : ''}`;
  },
});
service.addRule('table', {
  filter: 'table',
  replacement: (content) => `\n\n${content.trim().replace(/\n{2,}/g, '\n')}\n\n`,
});

/** Text with marks of HTML as Markdown. Nothing of it runs, and nothing is loaded: it is read as a document of its own. */
export function htmlToMarkdown(html: string): string {
  const document = new DOMParser().parseFromString(html, 'text/html');
  return service.turndown(document.body).replace(/^(\s*(?:[-*+]|\d+\.)) {2,3}/gm, '$1 ');
}

/** Tells whether a row is the first one of its table. */
function isFirst(row: Node): boolean {
  const table = row instanceof Element ? row.closest('table') : null;
  return table?.querySelector('tr') === row;
}
