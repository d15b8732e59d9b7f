import type { ErrorName } from './catalogue.js';

/** One fault of a request: which field (dotted path, `tags.3`), which rule it breaks, and what to do about it. */
export interface Fault {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

export interface PageLink {
  readonly href: string;
  readonly label: string;
}

/** Parts that a page about a failure shows beside its sentence. */
export interface FailurePageParts {
  /** The address of the person who was signing in, masked; `null`: unknown. */
  readonly address?: string | null;
  /** The one link of the page; without it there is one to the site. */
  readonly way?: PageLink | null;
}

interface DomainErrorOptions extends ErrorOptions {
  /** Facts that help the caller to mend the request, for example {@link Fault}s or the current version. */
  readonly details?: readonly unknown[];
  /** Further members of the answer's body, for example `retry_after`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Response headers that belong to the failure, for example `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For a browser that is shown a page. Programs get none of it. */
  readonly page?: FailurePageParts;
}

/** A failure that the caller can act on. Services throw it; `ErrorFilter` alone turns it into a status code. */
export class DomainError extends Error {
  readonly details: readonly unknown[] | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly page: FailurePageParts | undefined;

  constructor(
    readonly error: ErrorName,
    message: string,
    options?: DomainErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
    this.details = options?.details;
    this.extensions = options?.extensions;
    this.headers = options?.headers;
    this.page = options?.page;
  }

  withPage(page: FailurePageParts): DomainError {
    const { cause, details, extensions, headers } = this;
    const given = { ...(details && { details }), ...(extensions && { extensions }), ...(headers && { headers }) };
    return new DomainError(this.error, this.message, { cause, ...given, page: { ...this.page, ...page } });
  }
}

/** A body of nothing but faults must not be answered with a much longer one. Further ones need not be looked for. */
export const MAX_FAULTS = 100;
const MAX_SENTENCES = 10;

/** All faults of a body at once, as one `validation_failed`: the message names the first ones, the details are all of them. */
export class ValidationError extends DomainError {
  constructor(readonly faults: readonly Fault[]) {
    super('validation_failed', messageOf(faults), { details: faults.slice(0, MAX_FAULTS) });
  }
}

function messageOf(faults: readonly Fault[]): string {
  const sentences = faults.slice(0, MAX_SENTENCES).map(({ message }) => message);
  const more = faults.length - sentences.length;
  if (more === 0) return sentences.join(' ');
  return [...sentences, `There are ${faults.length < MAX_FAULTS ? '' : 'at least '}${more} more faults.`].join(' ');
}
