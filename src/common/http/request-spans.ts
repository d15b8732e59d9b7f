import type { NextFunction, Request, Response } from 'express';
import type { Attributes, SpanEnd, Tracing } from '../tracing/tracing.js';
import type { ServiceRequest } from './request-context.js';
import { isKnownMethod, routeOf } from './request-kind.js';

/** As OpenTelemetry writes a method outside of the closed set, and what the span is called then. */
const OTHER = { attribute: '_OTHER', name: 'HTTP' };

/** Records requests until the end of their answer, by the pattern of their route. A recorded request belongs to a trace. */
export function requestSpans(tracing: Tracing): (request: Request, response: Response, next: NextFunction) => void {
  return (incoming, response, next) => {
    const request = incoming as ServiceRequest;
    const { attribute, name } = isKnownMethod(request.method)
      ? { attribute: request.method, name: request.method }
      : OTHER;
    const span = tracing.begin('server', name, { 'http.request.method': attribute }, request.trace ?? null);
    if (span) {
      request.span = span;
      request.trace = span.trace;
      response.on('close', () => {
        span.end(endOf(request, response, name));
      });
    }
    next();
  };
}

function endOf(request: ServiceRequest, response: Response, name: string): SpanEnd {
  const route = routeOf(request);
  const kind = route === undefined ? { name } : { name: `${name} ${route}`, attributes: { 'http.route': route } };
  // The client went away: it has seen no status.
  if (!response.writableFinished) return { ...kind, attributes: { ...kind.attributes, 'error.type': 'aborted' } };
  const { statusCode: status } = response;
  const failure: Attributes = status >= 500 ? { 'error.type': String(status) } : {};
  const attributes = { ...kind.attributes, 'http.response.status_code': status, ...failure };
  return { ...kind, attributes, isFailure: status >= 500 };
}
