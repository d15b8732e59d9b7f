/** One thing that a failure is about: a fault of a field, a version, a count. */
export interface ErrorDetail {
  readonly field?: string;
  readonly rule?: string;
  readonly message?: string;
  readonly [part: string]: unknown;
}

interface Failure {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** The name that the service gives it; `unreachable` without an answer, `unreadable` for one that is not of the service. */
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  /** The id of the request in the log of the service. */
  readonly requestId?: string | null;
  /** Seconds to wait before the request is sent again. */
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** Everything that fails, from a fault in a body to a network that is gone. */
export class CmsError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor({ status, code, message, details = [], requestId = null, retryAfter = null, cause }: Failure) {
    super(message, { cause });
    this.name = 'CmsError';
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

interface ErrorBody {
  readonly error?: unknown;
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  readonly request_id?: string;
}

/** The failure that an answer means. What is no answer of the service, such as the page of a gateway, is `unreadable`. */
export function failureOf({ status, headers }: Response, body: ErrorBody | null): CmsError {
  const { error, message, details, request_id: requestId } = body ?? {};
  return new CmsError({
    status,
    code: typeof error === 'string' ? error : 'unreadable',
    message: message ?? `The answer ${status} is not one of the service.`,
    details,
    requestId,
    retryAfter: Number(headers.get('retry-after')) || null,
  });
}

/** No answer: no network, no service at the address, or none in time. */
export function unreachable(cause: unknown): CmsError {
  return new CmsError({ status: 0, code: 'unreachable', message: 'The service does not answer.', cause });
}
