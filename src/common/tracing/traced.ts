import { ERROR_STATUS } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import type { Span, SpanEnd } from './tracing.js';

/** Codes of Node.js and of drivers: `ECONNREFUSED`, `ER_LOCK_DEADLOCK`. */
const CODE = /^[A-Z][A-Z0-9_]{1,60}$/;

/** Ends a span with the work that it stands for. @param span `undefined`: the work belongs to no trace */
export async function traced<Result>(
  span: Span | undefined,
  work: Promise<Result>,
  endOf: (result: Result) => SpanEnd = () => ({}),
): Promise<Result> {
  if (!span) return work;
  try {
    const result = await work;
    span.end(endOf(result));
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

/** The end of a span that failed: the kind of the failure, and never its message, which may have values. */
export function failureOf(error: unknown): SpanEnd {
  if (error instanceof DomainError)
    return { attributes: { 'error.type': error.error }, isFailure: ERROR_STATUS[error.error] >= 500 };
  const name = error instanceof Error ? error.name : '_OTHER';
  return { attributes: { 'error.type': codeOf(error) ?? name }, isFailure: true };
}

/** `fetch` and TypeORM have the error of the system or of the driver within theirs. */
function codeOf(error: unknown): string | undefined {
  const { code, cause, driverError } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && CODE.test(code)) return code;
  const inner = driverError ?? cause;
  return inner === undefined || inner === error ? undefined : codeOf(inner);
}
