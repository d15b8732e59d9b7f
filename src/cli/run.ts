import { CommanderError, type Command } from 'commander';
import type { Writable } from 'node:stream';
import { DomainError, ValidationError } from '../common/errors/domain-error.js';
import { SettingsError } from '../config/settings.js';
import { asUnavailable } from '../database/dialect/database-error.js';
import { TransferError } from '../transfer/transfer-error.js';
import type { Act, Outcome } from './command.js';
import { commandLine } from './commands.js';
import { Invocation, type Surroundings } from './invocation.js';

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
  const shown = { out: '', error: '' };
  let code = 0;
  const act: Act =
    (work) =>
    async (...words) => {
      code = answered(await work(invocation, ...words), isJson, terminal);
    };
  const program = commandLine(act, {
    writeOut: (text) => (shown.out += text),
    writeErr: (text) => (shown.error += text),
  });
  program.hook('preAction', (_, command) => {
    requireValues(command, argv);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reported(error, isJson, terminal);
    const help = shown.out.trimEnd();
    if (error.exitCode === 0) return answered({ text: help, json: { help } }, isJson, terminal);
    error.message = wrongUse(error, shown.error.trimEnd(), isJson);
    return reported(error, isJson, terminal);
  } finally {
    // A service that could not start has nothing to close, and has said so already.
    await invocation.close().catch(() => undefined);
  }
}

/** Refuses words that commander takes for values: after `--source --dry-run` an import would write. `--source=--dry-run` is meant. */
function requireValues(command: Command, argv: readonly string[]): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    const isOption = option.required && typeof value === 'string' && /^-./.test(value);
    if (isOption && argv.includes(value)) command.error(`error: option '${option.flags}' argument missing`);
  }
}

/** The words of commander about a wrong use. People are shown the help behind the fault, programs are not. */
function wrongUse({ code, message }: CommanderError, shown: string, isJson: boolean): string {
  const [fault = ''] = shown.split('\n\n', 1);
  return (isJson && code !== 'commander.help' ? fault : shown) || message;
}

/** Writes down an outcome. @returns the exit code */
function answered(outcome: Outcome, isJson: boolean, terminal: Terminal): number {
  const text = isJson ? JSON.stringify(outcome.json, null, 2) : outcome.text;
  if (outcome.isOnStandardError) terminal.error(text);
  else terminal.out(text);
  if (outcome.warning !== undefined) terminal.error(outcome.warning);
  if (outcome.isFailed) return EXIT_FAILED;
  return outcome.isPartial ? EXIT_PARTIAL : 0;
}

/** Writes down a failure, never with a stack. @returns the exit code */
function reported(error: unknown, isJson: boolean, terminal: Terminal): number {
  const isKnown = error instanceof DomainError || error instanceof TransferError;
  const failure = isKnown ? error : (asUnavailable(error) ?? error);
  const message = failure instanceof Error ? failure.message : String(failure);
  const { error: name, details } = described(failure);
  terminal.error(isJson ? JSON.stringify({ error: name, message, details }) : message);
  return failure instanceof CommanderError || failure instanceof ValidationError ? EXIT_WRONG_USE : EXIT_FAILED;
}

function described(failure: unknown): { error: string; details?: readonly unknown[] | undefined } {
  if (failure instanceof CommanderError) return { error: 'wrong_use' };
  if (failure instanceof SettingsError) return { error: 'invalid_settings', details: failure.faults };
  if (failure instanceof TransferError) return { error: failure.reason, details: failure.details };
  return failure instanceof DomainError ? failure : { error: 'internal_error' };
}
