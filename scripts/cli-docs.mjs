/**
 * Writes docs/cli.md from the definitions of the commands: `node scripts/cli-docs.mjs [--check] [folder of cli.js]`, after
 * a build. With --check it writes nothing and ends with 1 where the file is another one.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeDocument } from './generated-document.mjs';

const [folder = 'dist/src'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const load = (file) => import(pathToFileURL(resolve(folder, 'cli', file)).href);
await import('reflect-metadata');
const [{ COMMANDS }, { usageOf }] = [await load('commands.js'), await load('usage.js')];

function rowsOf(options) {
  const rows = Object.entries(options).map(
    ([name, { value = '', isRequired, help }]) =>
      `| \`${`--${name} ${value.replaceAll('|', '\\|')}`.trim()}\` | ${isRequired ? 'yes' : ''} | ${plain(help)} |`,
  );
  return ['| Option | Needed | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Text of a cell; nothing of it is Markdown. */
function plain(text) {
  return text.replace(/[|<*]/g, '\\$&');
}

function sectionOf(command) {
  const options = command.options ?? {};
  const table = Object.keys(options).length === 0 ? '' : `\n\n${rowsOf(options)}`;
  return `## ${command.name}\n\n${plain(command.summary)}\n\n\`\`\`\n${usageOf(command)}\n\`\`\`${table}`;
}

await writeDocument(
  'docs/cli.md',
  `# Commands

\`npm run cli -- <command>\`, after \`npm run build\`; in the image \`node dist/src/cli.js <command>\`. Commands use the settings of the service: with \`NODE_ENV=demo\` they work on the database of the demo, otherwise on that of production.

With \`--json\` a command answers in JSON, with \`--help\` it shows its options. It ends with 0 (done), 1 (failed), 2 (wrong use) or 3 (done, but \`doctor --repair\` has repaired what was wrong).

${COMMANDS.map(sectionOf).join('\n\n')}
`,
);
