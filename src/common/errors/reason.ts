import type { DomainError } from './domain-error.js';

/** The code of what is behind a failure, `ECONNREFUSED`, or else its message. */
export function reasonOf({ cause }: DomainError): { reason?: unknown } {
  if (cause === undefined) return {};
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return { reason: code ?? message };
}
