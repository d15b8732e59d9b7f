import type { Writable } from 'node:stream';
import { DomainError, ValidationError } from '../common/errors/domain-error.js';
import { SettingsError } from '../config/settings.js';
import { asUnavailable } from '../database/dialect/database-error.js';
import { TransferError } from '../transfer/transfer-error.js';
import { readInput } from './arguments.js';
import type { Command, Outcome } from './command.js';
import { UsageError } from './usage-error.js';
import { COMMANDS } from './commands.js';
import { helpFor, overview } from './help.js';
import { Invocation, type Surroundings } from './invocation.js';
import { nearest } from './nearest.js';

const EXIT_PARTIAL = 3;

/** Where a command reads and writes. */
export interface Terminal {
  /** One whole text, to which a line end is added. */
  out(text: string): void;
  error(text: string): void;
  standardInput(): Promise<string>;
  /** For what is too long to be one text. */
  standardOutput(): Writable;
}

/**
 * Runs one command.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong use, 3 done but for damaged rows, or repaired
 */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const isJson = argv.includes('--json');
  const invocation = new Invocation(surroundings, terminal);
  try {
    const outcome = await outcomeOf(argv, invocation);
    const text = isJson ? JSON.stringify(outcome.json, null, 2) : outcome.text;
    if (outcome.isOnStandardError) terminal.error(text);
    else terminal.out(text);
    if (outcome.warning !== undefined) terminal.error(outcome.warning);
    if (outcome.isFailed) return EXIT_FAILED;
    return outcome.isPartial ? EXIT_PARTIAL : 0;
  } catch (error) {
    const { exitCode, text, json } = failureOf(error);
    terminal.error(isJson ? JSON.stringify(json) : text);
    return exitCode;
  } finally {
    // A service that could not start has nothing to close, and has said so already.
    await invocation.close().catch(() => undefined);
  }
}

async function outcomeOf(argv: readonly string[], invocation: Invocation): Promise<Outcome> {
  const isHelp = argv.includes('--help') || argv.includes('-h');
  const command = COMMANDS.find(({ name }) => isCalled(name, argv));
  if (command) return isHelp ? help(helpFor(command)) : runOne(command, argv, invocation);
  const [noun] = argv.filter((word) => !word.startsWith('-'));
  const ofNoun = COMMANDS.filter(({ name }) => name.split(' ')[0] === noun);
  if (isHelp && (noun === undefined || ofNoun.length > 0))
    return help(overview(noun === undefined ? COMMANDS : ofNoun));
  throw new UsageError(unknown(argv, ofNoun));
}

function runOne(command: Command, argv: readonly string[], invocation: Invocation): Promise<Outcome> {
  return command.run(readInput(command, rest(command, argv)), invocation);
}

function isCalled(name: string, argv: readonly string[]): boolean {
  return name.split(' ').every((word, index) => argv[index] === word);
}

function rest({ name }: Command, argv: readonly string[]): readonly string[] {
  return argv.slice(name.split(' ').length);
}

function help(text: string): Outcome {
  return { text, json: { help: text } };
}

function unknown(argv: readonly string[], ofNoun: readonly Command[]): string {
  const words = argv.filter((word) => !word.startsWith('-'));
  const meant = nearestCommand(words, ofNoun.length > 0 ? ofNoun : COMMANDS);
  const fault = words.length === 0 ? 'Say what to do' : `Unknown command "${words.slice(0, 2).join(' ')}"`;
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
  return `${fault}.${hint} Commands are: ${grouped(ofNoun.length > 0 ? ofNoun : COMMANDS)}. More: npm run cli -- --help`;
}

/** By two words, as most names have, or by the first one, which other words may follow. */
function nearestCommand(words: readonly string[], commands: readonly Command[]): string | null {
  const names = commands.map(({ name }) => name);
  const nouns = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  return nearest(words.slice(0, 2).join(' '), names) ?? nearest(words[0] ?? '', [...names, ...nouns]);
}

/** `token create|list|revoke, doctor` */
function grouped(commands: readonly Command[]): string {
  const verbs = new Map<string, string[]>();
  for (const { name } of commands) {
    const [noun = '', ...verb] = name.split(' ');
    verbs.set(noun, [...(verbs.get(noun) ?? []), ...verb]);
  }
  return [...verbs].map(([noun, own]) => (own.length === 0 ? noun : `${noun} ${own.join('|')}`)).join(', ');
}

const EXIT_FAILED = 1;
const EXIT_WRONG_USE = 2;

/** A failure as the command line reports it: never a stack. */
interface Failure {
  readonly exitCode: number;
  readonly text: string;
  readonly json: object;
}

function failureOf(error: unknown): Failure {
  const { name, message, details } = described(error);
  const isWrongUse = error instanceof UsageError || error instanceof ValidationError;
  return {
    exitCode: isWrongUse ? EXIT_WRONG_USE : EXIT_FAILED,
    text: message,
    json: { error: name, message, ...(details ? { details } : {}) },
  };
}

interface Described {
  readonly name: string;
  readonly message: string;
  readonly details?: readonly unknown[] | undefined;
}

function described(error: unknown): Described {
  if (error instanceof UsageError) return { name: 'wrong_use', message: error.message };
  if (error instanceof SettingsError) {
    return { name: 'invalid_settings', message: error.message, details: error.faults };
  }
  if (error instanceof TransferError) return { name: error.reason, message: error.message, details: error.details };
  const known = error instanceof DomainError ? error : asUnavailable(error);
  if (known) return { name: known.error, message: known.message, details: known.details };
  return { name: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}
