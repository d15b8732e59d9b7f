import { parseArgs } from 'node:util';
import { WrongUse, type Command, type Given } from './command.js';
import { usageOf } from './help.js';

/**
 * Reads what follows the name of a command.
 *
 * @throws {WrongUse} an unknown or missing option, or too many or too few words
 */
export function givenTo(command: Command, argv: readonly string[]): Given {
  const { values, positionals } = parsed(command, argv);
  const takes = command.takes ?? [];
  if (positionals.length !== takes.length) throw wrongUse(command, expected(takes));
  for (const [name, { isRequired }] of Object.entries(command.options ?? {})) {
    if (isRequired && values[name] === undefined) throw wrongUse(command, `--${name} is missing.`);
  }
  const entries = Object.entries(values);
  return {
    words: positionals,
    texts: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    switches: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
  };
}

function parsed(command: Command, argv: readonly string[]): ReturnType<typeof parseArgs> {
  const own = Object.entries(command.options ?? {}).map(([name, { value }]) => [name, { type: typeOf(value) }]);
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

function typeOf(value: string | undefined): 'string' | 'boolean' {
  return value === undefined ? 'boolean' : 'string';
}

function expected(takes: readonly string[]): string {
  return takes.length === 0 ? 'This command takes options only.' : `This command takes ${takes.join(' ')}.`;
}

function wrongUse(command: Command, sentence: string): WrongUse {
  return new WrongUse(`${sentence} Usage: ${usageOf(command)}`);
}
