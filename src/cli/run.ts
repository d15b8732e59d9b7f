import type { Writable } from 'node:stream';
import { DomainError, ValidationError } from '../common/errors/domain-error.js';
import { nearestName } from '../common/text/nearest-word.js';
import { SettingsError } from '../config/settings.js';
import { asUnavailable } from '../database/dialect/database-error.js';
import { TransferError } from '../transfer/transfer-error.js';
import type { Command, Outcome } from './command.js';
import { COMMANDS } from './commands.js';
import { Invocation, type Surroundings } from './invocation.js';
import { helpFor, overview, readInput, UsageError } from './usage.js';

const EXIT_FAILED = 1;
const EXIT_WRONG_USE = 2;
const EXIT_PARTIAL = 3;

export interface Terminal {
  /** One whole text, to which a line end is added. */
  out(text: string): void;
  error(text: string): void;
  standardInput(): Promise<string>;
  /** For what is too long to be one text. */
  standardOutput(): Writable;
}

/** Runs one command. @returns the exit code: 0 done, 1 failed, 2 wrong use, 3 done but for damaged rows, or repaired */
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
    return reported(error, isJson, terminal);
  } finally {
    // A service that could not start has nothing to close, and has said so already.
    await invocation.close().catch(() => undefined);
  }
}

async function outcomeOf(argv: readonly string[], invocation: Invocation): Promise<Outcome> {
  const isHelp = argv.includes('--help') || argv.includes('-h');
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word));
  if (command) {
    if (isHelp) return help(helpFor(command));
    return command.run(readInput(command, argv.slice(command.name.split(' ').length)), invocation);
  }
  return withoutCommand(
    argv.filter((word) => !word.startsWith('-')),
    isHelp,
  );
}

/** The overview of the commands that begin with a word, or of all. @throws {UsageError} no help was asked for */
function withoutCommand(words: readonly string[], isHelp: boolean): Outcome {
  const ofNoun = COMMANDS.filter(({ name }) => name.split(' ')[0] === words[0]);
  const near = ofNoun.length > 0 ? ofNoun : COMMANDS;
  if (isHelp && (words.length === 0 || ofNoun.length > 0)) return help(overview(near));
  throw new UsageError(unknown(words, near));
}

function help(text: string): Outcome {
  return { text, json: { help: text } };
}

/** Meant by two words, as most names have, or by the first one, which other words may follow. */
function unknown(words: readonly string[], commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const nouns = names.map((name) => name.split(' ')[0] ?? '');
  const called = words.slice(0, 2).join(' ');
  const meant = nearestName(called, names) ?? nearestName(words[0] ?? '', [...names, ...nouns]);
  const fault = words.length === 0 ? 'Say what to do' : `Unknown command "${called}"`;
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
  return `${fault}.${hint} Commands are: ${names.join(', ')}. More: npm run cli -- --help`;
}

/** Writes down a failure, never with a stack. @returns the exit code */
function reported(error: unknown, isJson: boolean, terminal: Terminal): number {
  const isKnown = error instanceof DomainError || error instanceof TransferError;
  const failure = isKnown ? error : (asUnavailable(error) ?? error);
  const message = failure instanceof Error ? failure.message : String(failure);
  terminal.error(isJson ? inJson(failure, message) : message);
  return failure instanceof UsageError || failure instanceof ValidationError ? EXIT_WRONG_USE : EXIT_FAILED;
}

function inJson(failure: unknown, message: string): string {
  const [name, details] = described(failure);
  return JSON.stringify({ error: name, message, ...(details && { details }) });
}

function described(error: unknown): [name: string, details?: readonly unknown[] | undefined] {
  if (error instanceof UsageError) return ['wrong_use'];
  if (error instanceof SettingsError) return ['invalid_settings', error.faults];
  if (error instanceof TransferError) return [error.reason, error.details];
  return error instanceof DomainError ? [error.error, error.details] : ['internal_error'];
}
