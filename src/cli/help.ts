import type { Command, Option } from './command.js';
import { table } from './table.js';

const CALL = 'npm run cli --';

const COMMON: Readonly<Record<string, Option>> = {
  json: { help: 'Answer in JSON.' },
  help: { help: 'Show this text.' },
};

/** All commands, or those of one noun. */
export function overview(commands: readonly Command[]): string {
  const lines = commands.map((command) => [`  ${command.name}${placeholders(command)}`, command.summary]);
  return `Usage: ${CALL} <command> [--json] [--help]\n\n${table(['Commands:', ''], lines)}`;
}

/** Everything about one command. */
export function helpFor(command: Command): string {
  const options = { ...command.options, ...COMMON };
  const lines = Object.entries(options).map(([name, option]) => [`  ${written(name, option)}`, option.help]);
  return `Usage: ${usageOf(command)}\n\n${command.summary}\n\n${table(['Options:', ''], lines)}`;
}

/** `npm run cli -- token create --name <name> [--expires <instant|never>]` */
export function usageOf(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]) =>
    option.isRequired ? ` ${written(name, option)}` : ` [${written(name, option)}]`,
  );
  return `${CALL} ${command.name}${placeholders(command)}${options.join('')}`;
}

function placeholders({ positionals = [] }: Command): string {
  return positionals.map((name) => ` ${name}`).join('');
}

function written(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
