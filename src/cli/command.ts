import type { Invocation } from './invocation.js';

/** An option of a command. One without a `value` is a switch. */
export interface Option {
  /** The words behind it, as the help shows it: `<name>`. */
  readonly value?: string;
  readonly help: string;
  readonly isRequired?: boolean;
}

export interface CommandInput {
  /** As many as {@link Command.positionals}. */
  readonly positionals: readonly string[];
  readonly values: Readonly<Partial<Record<string, string>>>;
  readonly switches: ReadonlySet<string>;
}

export interface Outcome {
  readonly text: string;
  readonly json: unknown;
  readonly isFailed?: boolean;
  /** It is done, but for what the outcome names, or something was repaired: exit code 3. */
  readonly isPartial?: boolean;
  /** A fact that the exit code does not express; written to standard error. */
  readonly warning?: string;
  /** Standard output has the result itself, so this is written to standard error. */
  readonly isOnStandardError?: boolean;
}

export interface Command {
  /** `token create` */
  readonly name: string;
  readonly summary: string;
  /** Words that follow the name, all of them required: `<id>`. */
  readonly positionals?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  run(input: CommandInput, invocation: Invocation): Promise<Outcome>;
}
