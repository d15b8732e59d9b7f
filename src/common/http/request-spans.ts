import { ROOT_CONTEXT, SpanKind, trace, type Span } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { noteStatus, tracer } from '../tracing/traced.js';
import type { ServiceRequest } from './request-context.js';
import { isKnownMethod, routeOf } from './request-kind.js';

/** As OpenTelemetry writes a method outside of the closed set, and what the span is called then. */
const OTHER = { attribute: '_OTHER', name: 'HTTP' };

/** Records requests until the end of their answer, by the pattern of their route. A recorded request belongs to a trace. */
export function requestSpans(incoming: Request, response: Response, next: NextFunction): void {
  const request = incoming as ServiceRequest;
  const { method } = request;
  const { attribute, name } = isKnownMethod(method) ? { attribute: method, name: method } : OTHER;
  const above = request.trace ? trace.setSpanContext(ROOT_CONTEXT, request.trace) : ROOT_CONTEXT;
  const attributes = { 'http.request.method': attribute };
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER, attributes }, above);
  if (span.isRecording()) {
    request.span = span;
    request.trace = span.spanContext();
    response.on('close', () => {
      end(span, request, response, name);
    });
  }
  next();
}

function end(span: Span, request: ServiceRequest, response: Response, name: string): void {
  const route = routeOf(request);
  if (route !== undefined) span.updateName(`${name} ${route}`).setAttribute('http.route', route);
  // Otherwise the client went away, and has seen no status.
  if (response.writableFinished) noteStatus(span, response.statusCode, 500);
  else span.setAttribute('error.type', 'aborted');
  span.end();
}
