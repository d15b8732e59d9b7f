import { DomainError, ValidationError } from '../common/errors/domain-error.js';
import { SettingsError } from '../config/settings.js';
import { asUnavailable } from '../database/database-error.js';
import { TransferError } from '../transfer/transfer-error.js';
import { UsageError } from './usage-error.js';

export const EXIT_FAILED = 1;
const EXIT_WRONG_USE = 2;

/** A failure as the command line reports it: never a stack. */
export interface Failure {
  readonly exitCode: number;
  readonly text: string;
  readonly json: object;
}

export function failureOf(error: unknown): Failure {
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
