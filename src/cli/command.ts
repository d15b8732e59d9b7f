import type { Command } from 'commander';
import type { Invocation } from './invocation.js';

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

/** Makes an action of commander out of the work of a command, which is given the words of the line and then its options. */
export type Act = <Words extends unknown[]>(
  work: (invocation: Invocation, ...words: Words) => Promise<Outcome>,
) => (...words: Words) => Promise<void>;

/** Defines commands below the program. */
export type Define = (program: Command, act: Act) => void;
