import type { ErrorName } from './catalogue.js';

/** One fault of a request: which field (dotted path, `tags.3`), which rule it breaks, and what to do about it. */
export interface Fault {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

interface DomainErrorOptions extends ErrorOptions {
  /** Facts that help the caller to mend the request, for example {@link Fault}s or the current version. */
  readonly details?: readonly unknown[];
  /** Response headers that belong to the failure, for example `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A failure the caller can act on. Services throw it; they never speak HTTP.
 * The only place that turns it into a status code is `ErrorFilter`.
 */
export class DomainError extends Error {
  readonly details: readonly unknown[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    readonly error: ErrorName,
    message: string,
    options?: DomainErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
    this.details = options?.details;
    this.headers = options?.headers;
  }
}

/** All faults of a body at once, as one `validation_failed`: the message is the first fault, the details are all of them. */
export class ValidationError extends DomainError {
  constructor(readonly faults: readonly Fault[]) {
    super('validation_failed', faults.map(({ message }) => message).join(' '), { details: faults });
  }
}
