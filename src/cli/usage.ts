import { parseArgs } from 'node:util';
import type { Command, CommandInput, Option } from './command.js';
import { table } from './table.js';

/** The command line does not say what to do; its message says how it would. */
export class UsageError extends Error {}

const CALL = 'npm run cli --';

const COMMON: Readonly<Record<string, Option>> = {
  json: { help: 'Answer in JSON.' },
  help: { help: 'Show this text.' },
};

export function overview(commands: readonly Command[]): string {
  const lines = commands.map((command) => [`  ${command.name}${placeholders(command)}`, command.summary]);
  return `Usage: ${CALL} <command> [--json] [--help]\n\n${table(['Commands:', ''], lines)}`;
}

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

/** Reads what follows the name of a command. @throws {UsageError} an unknown or missing option, or a wrong number of words */
export function readInput(command: Command, argv: readonly string[]): CommandInput {
  const { values, positionals } = parsed(command, argv);
  const expected = command.positionals ?? [];
  if (positionals.length !== expected.length)
    throw wrongUse(command, `This command takes ${expected.length === 0 ? 'options only' : expected.join(' ')}.`);
  for (const [name, { isRequired }] of Object.entries(command.options ?? {})) {
    if (isRequired && values[name] === undefined) throw wrongUse(command, `--${name} is missing.`);
  }
  const entries = Object.entries(values);
  return {
    positionals,
    values: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    switches: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
  };
}

function parsed(command: Command, argv: readonly string[]): ReturnType<typeof parseArgs> {
  const own = Object.entries(command.options ?? {}).map(([name, { value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string' },
  ]);
  const json = { type: 'boolean' } as const;
  try {
    const options = { ...(Object.fromEntries(own) as Record<string, { type: 'string' | 'boolean' }>), json };
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    // Node explains at length; its first sentence names the option.
    throw wrongUse(command, `${firstSentence((error as Error).message)}.`);
  }
}

/** `'--foo' is unknown. To give …` -> `'--foo' is unknown` */
function firstSentence(text: string): string {
  return text.split(/\.\s|\.?\n|\.$/, 1)[0] ?? text;
}

function wrongUse(command: Command, sentence: string): UsageError {
  return new UsageError(`${sentence} Usage: ${usageOf(command)}`);
}
