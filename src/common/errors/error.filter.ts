import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { commitMark } from '../commit-mark.js';
import { outsideBasePath } from '../http/arriving/gateway.js';
import { endAnswer } from '../http/sending/answer-sender.js';
import { sendPage } from '../http/page.js';
import { pathOf, type ServiceRequest } from '../http/request-context.js';
import { traceFields } from '../tracing/request-scope.js';
import type { RouteTable } from '../http/routes/route-table.js';
import { JoinedWarnings } from '../logging/joined-warnings.js';
import { ERROR_STATUS, type ErrorName } from './catalogue.js';
import { DomainError } from './domain-error.js';
import { failurePage, isPageWanted } from './failure-page.js';
import { reasonOf } from './reason.js';

/** Failures after which a client sends a request again: these say, or let it be taken, that nothing was done. */
const RETRIED_BY_CLIENTS: ReadonlySet<ErrorName> = new Set(['overloaded', 'storage_full', 'internal_error']);

/** A failure of a request of which something is committed: the same one, unless it would have the request repeated. */
function afterCommit(failure: DomainError): DomainError {
  if (!RETRIED_BY_CLIENTS.has(failure.error)) return failure;
  return new DomainError(
    'outcome_unknown',
    'The write was made, at least in part, but its answer could not be put together. Look at what is there before you send the request again.',
    { cause: failure.cause },
  );
}

/** Failures of the framework (router, throttler) by status, as the catalogue calls them. */
const FRAMEWORK_ERRORS: Partial<Record<number, readonly [ErrorName, string]>> = {
  400: ['malformed_request', 'The request could not be read.'],
  404: ['not_found', 'There is nothing at this address.'],
  429: ['too_many_requests', 'Too many requests. Try again later.'],
};

/** `GET, HEAD or POST` */
const CHOICE = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Translates a failure that lower layers know of, such as a database that is gone. */
export type Translate = (error: unknown) => DomainError | null;

/** Follows requests that failed, once they are answered. It must not fail. */
export type Follow = (request: ServiceRequest, failure: DomainError) => void;

/** The one place where a failure becomes an HTTP answer. The log gets the stack, the client gets none. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly warnings: JoinedWarnings;

  constructor(
    private readonly log: Logger,
    private readonly routes: RouteTable,
    private readonly translate: Translate,
    private readonly follow: Follow,
  ) {
    this.warnings = new JoinedWarnings(log);
  }

  /** Writes what is not in the log yet: there are no more answers. */
  close(): void {
    this.warnings.close();
  }

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const response = http.getResponse<Response>();
    const failure = this.wrongMethod(this.asDomainError(exception), request);
    this.answer(request, response, exception, failure);
    this.follow(request, failure);
  }

  private answer(request: ServiceRequest, response: Response, exception: unknown, failure: DomainError): void {
    const error = commitMark()?.isCommitted === true ? afterCommit(failure) : failure;
    const status = ERROR_STATUS[error.error];
    if (status >= 500) this.tell(request, error, ERROR_STATUS[failure.error] === 503 ? null : exception);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendHeaders(response, status, error);
    if (isPageWanted(request, error.error)) sendPage(response, failurePage(request, error));
    else sendBody(response, error, request.id);
  }

  /** @param defect what may be a fault of the service; what cannot be done for a time is none, and needs no stack */
  private tell(request: ServiceRequest, error: DomainError, defect: unknown): void {
    const whose = { request_id: request.id, ...traceFields(request) };
    if (defect === null) this.warnings.warn({ ...whose, error: error.error, ...reasonOf(error) }, error.message);
    else this.log.error({ ...whose, err: error.cause ?? defect }, error.message);
  }

  private asDomainError(exception: unknown): DomainError {
    if (exception instanceof DomainError) return exception;
    const translated = this.translate(exception);
    if (translated) return translated;
    const status = statusOf(exception);
    const [name, message] = FRAMEWORK_ERRORS[status] ?? ['internal_error', 'Something went wrong on our side.'];
    return new DomainError(name, message, { cause: exception });
  }

  /** A path that exists but does not take the method is 405 and not 404. */
  private wrongMethod(error: DomainError, request: ServiceRequest): DomainError {
    const { method, originalUrl } = request;
    if (error.error !== 'not_found' && error.error !== 'type_not_found') return error;
    if (outsideBasePath.has(request)) return error;
    const methods = this.routes.methodsOf(pathOf(originalUrl));
    if (methods.length === 0 || methods.includes(method)) return error;
    return new DomainError('method_not_allowed', `${method} is not allowed here. Use ${CHOICE.format(methods)}.`, {
      headers: { Allow: methods.join(', ') },
    });
  }
}

function sendHeaders(response: Response, status: number, { error, headers = {} }: DomainError): void {
  response.statusCode = status;
  if (status === 401) response.setHeader('WWW-Authenticate', challenge(error));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
}

function sendBody(response: Response, { error, message, details, extensions }: DomainError, id: string): void {
  const body = { error, message, ...(details ? { details } : {}), ...extensions, request_id: id };
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  endAnswer(response, bytes);
}

function challenge(error: ErrorName): string {
  return error === 'unauthorized' ? 'Bearer realm="cms"' : `Bearer realm="cms", error="${error}"`;
}

function statusOf(exception: unknown): number {
  if (exception instanceof HttpException) return exception.getStatus();
  const { status } = (exception ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : 500;
}
