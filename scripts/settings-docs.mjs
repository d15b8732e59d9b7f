/**
 * Writes docs/settings.md from .env.example, where settings are explained: `node scripts/settings-docs.mjs [--check]`.
 * With --check it writes nothing and ends with 1 where the file is another one.
 */
import { readFileSync } from 'node:fs';
import { writeDocument } from './generated-document.mjs';

/** `# --- Access ------`: begins a group. */
const GROUP = /^# --- (.+?) -+$/;
/** `PORT=3000`, or `# GOOGLE_ISSUERS=` where the empty value would not be the default. */
const SETTING = /^(?:# (?=\w+=$))?([A-Z][A-Z0-9_]*)=(.*)$/;
/** `# PUBLIC_URL=https://cms.example.com` */
const EXAMPLE = /^# ([A-Z][A-Z0-9_]*=.+)$/;
/** `#   login    10 a minute    sign-ins by password`: a row of a table, and the lines that such a text goes on in. */
const ITEM = /^# {2,4}([a-z_]+) {2,}(\d+ an? [a-z]+) {2,}(\S.*)$/;
const CONTINUED = /^# {5,}(\S.*)$/;

/** Settings that stand together in the example, and what it says of them. */
function blockOf(lines) {
  const block = { settings: [], text: [], items: [], examples: [] };
  for (const line of lines) {
    const [item, continued] = [ITEM.exec(line), CONTINUED.exec(line)];
    const [setting, example] = [SETTING.exec(line), EXAMPLE.exec(line)];
    if (setting) block.settings.push(`\`${setting[1]}${setting[2] === '' ? '' : `=${setting[2]}`}\``);
    else if (example) block.examples.push(example[1]);
    else if (item) block.items.push(`\`${item[1]}\` | ${item[2]} | ${prose(item[3])}`);
    else if (continued) block.items.push(`${block.items.pop()} ${prose(continued[1])}`);
    else block.text.push(prose(line.replace(/^# ?/, '')));
  }
  return block;
}

/** Comments as Markdown: names of settings are code, and nothing else is markup. */
function prose(text) {
  return text.replace(/[<*[\]]/g, '\\$&').replace(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g, '`$&`');
}

function entryOf({ settings, text, items, examples }) {
  const lines = [
    `${settings.length > 0 ? `**${settings.join(', ')}**: ` : ''}${text.join(' ')}`,
    ...(items.length > 0
      ? ['', '| Name | Default | Requests |', '| - | - | - |', ...items.map((item) => `| ${item} |`)]
      : []),
    ...(examples.length > 0 ? ['', '```', ...examples, '```'] : []),
  ];
  return settings.length > 0 ? `- ${lines.join('\n  ')}` : lines.join('\n');
}

function sectionOf(paragraph) {
  const lines = paragraph.split('\n');
  const group = GROUP.exec(lines[0]);
  return group ? `## ${group[1]}` : entryOf(blockOf(lines));
}

const [, ...paragraphs] = readFileSync('.env.example', 'utf8').trim().split('\n\n');

await writeDocument(
  'docs/settings.md',
  `# Settings

Settings come from the environment, or from a file \`.env\` in the working directory; the environment takes precedence. Begin with a copy of [\`.env.example\`](../.env.example). The service checks all settings at start, and prints every fault at once. The value after \`=\` is the default. [Install](operate/install.md#settings) says what production refuses, and how to change a secret.

${paragraphs.map(sectionOf).join('\n\n')}
`,
);
