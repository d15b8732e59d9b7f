import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { ERROR_STATUS } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { packageInfo } from '../package-info.js';

/** The name under which OpenTelemetry knows the service. */
export const INSTRUMENTED = { name: 'content-service', version: packageInfo().version };

/** The tracer of the service, whose spans record nothing unless traces are asked for. */
export function tracer(): Tracer {
  return trace.getTracer(INSTRUMENTED.name, INSTRUMENTED.version);
}

/**
 * Begins a span of what a database or another service is asked.
 * @param attributes of closed sets: never an id, a value of a statement, a path or a secret
 */
export function clientSpan(above: Span, name: string, attributes: Attributes): Span {
  return tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, above));
}

/** Ends a span with the work that it stands for. @param span `undefined`: the work belongs to no trace */
export async function traced<Result>(
  span: Span | undefined,
  work: Promise<Result>,
  note: (span: Span, result: Result) => void = () => undefined,
): Promise<Result> {
  if (!span) return work;
  try {
    const result = await work;
    note(span, result);
    return result;
  } catch (error) {
    noteFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Notes the status of an answer. @param least the lowest that is a failure of what was asked, and not a refusal */
export function noteStatus(span: Span, status: number, least: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= least) span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
}

/** Notes the kind of a failure, and never its message, which may have values. */
export function noteFailure(span: Span, error: unknown): void {
  span.setAttribute('error.type', kindOf(error));
  const isRefusal = error instanceof DomainError && ERROR_STATUS[error.error] < 500;
  if (!isRefusal) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Codes of Node.js and of drivers: `ECONNREFUSED`, `ER_LOCK_DEADLOCK`. */
const CODE = /^[A-Z][A-Z0-9_]{1,60}$/;

function kindOf(error: unknown): string {
  if (error instanceof DomainError) return error.error;
  return codeOf(error) ?? (error instanceof Error ? error.name : '_OTHER');
}

/** `fetch` and TypeORM have the error of the system or of the driver within theirs. */
function codeOf(error: unknown): string | undefined {
  const { code, cause, driverError } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && CODE.test(code)) return code;
  const inner = driverError ?? cause;
  return inner === undefined || inner === error ? undefined : codeOf(inner);
}
