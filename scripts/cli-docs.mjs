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
const { commandLine } = await load('commands.js');
const program = commandLine(() => () => undefined);
const help = program.createHelp();

/** The commands that do something, those of a noun after it. */
function leavesOf({ commands }, path = []) {
  return commands.flatMap((command) => {
    const name = [...path, command.name()];
    return command.commands.length === 0 ? [{ name: name.join(' '), command }] : leavesOf(command, name);
  });
}

function rowsOf(options) {
  const rows = options.map(
    (option) =>
      `| \`${option.flags.replaceAll('|', '\\|')}\` | ${option.mandatory ? 'yes' : ''} | ${plain(help.optionDescription(option))} |`,
  );
  return ['| Option | Needed | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Text of a cell; nothing of it is Markdown. */
function plain(text) {
  return text.replace(/[|<*]/g, '\\$&');
}

/** With all options, which the help lists below: `npm run cli -- token create --name <name> [--expires <instant|never>]`. */
function usageOf(command) {
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? ` ${flags}` : ` [${flags}]`));
  return help.commandUsage(command).replace(' [options]', '') + options.join('');
}

function sectionOf({ name, command }) {
  const table = command.options.length === 0 ? '' : `\n\n${rowsOf(command.options)}`;
  return `## ${name}\n\n${plain(command.description())}\n\n\`\`\`\n${usageOf(command)}\n\`\`\`${table}`;
}

await writeDocument(
  'docs/cli.md',
  `# Commands

\`npm run cli -- <command>\`, after \`npm run build\`; in the image \`node dist/src/cli.js <command>\`. Commands use the settings of the service: with \`NODE_ENV=demo\` they work on the database of the demo, otherwise on that of production.

With \`--json\` a command answers in JSON, with \`--help\` it shows its options. It ends with 0 (done), 1 (failed), 2 (wrong use) or 3 (done, but \`doctor --repair\` has repaired what was wrong).

${leavesOf(program).map(sectionOf).join('\n\n')}
`,
);
