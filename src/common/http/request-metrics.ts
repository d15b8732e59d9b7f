import type { NextFunction, Request, Response } from 'express';
import { Histogram, type Registry } from 'prom-client';
import { readGauge } from '../metrics/read-gauge.js';
import { isKnownMethod, routeOf } from './request-kind.js';

type RequestLabels = Readonly<Record<'method' | 'route' | 'status', string>>;

const STATUS_CLASSES = [undefined, '1xx', '2xx', '3xx', '4xx', '5xx'];
const NO_ROUTE = 'none';
const OTHER = 'other';
/** Seconds. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
/** Kinds of requests that are counted apart; each has ten series. What comes after that is counted together. */
const MAX_KINDS = 240;

/** Measures requests until the end of their answer, by the pattern of their route. It costs each some microseconds. */
export function requestMetrics(registry: Registry): (request: Request, response: Response, next: NextFunction) => void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by the pattern of their route, from their arrival to the end of their answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const kinds = new Kinds();
  let inFlight = 0;
  const help = 'Requests that are being answered.';
  readGauge({ name: 'http_requests_in_flight', help, registers }, () => inFlight);
  return (request, response, next) => {
    const start = performance.now();
    inFlight += 1;
    response.on('close', () => {
      inFlight -= 1;
      durations.observe(kinds.of(request, response.statusCode), (performance.now() - start) / 1_000);
    });
    next();
  };
}

class Kinds {
  private readonly known = new Map<string, RequestLabels>();

  of(request: Request, code: number): RequestLabels {
    const route = routeOf(request) ?? NO_ROUTE;
    const status = STATUS_CLASSES[Math.floor(code / 100)] ?? OTHER;
    const key = `${request.method} ${route} ${status}`;
    return this.known.get(key) ?? this.add(key, { method: request.method, route, status });
  }

  private add(key: string, labels: RequestLabels): RequestLabels {
    if (!isKnownMethod(labels.method) || this.known.size >= MAX_KINDS)
      return { method: OTHER, route: OTHER, status: labels.status };
    this.known.set(key, labels);
    return labels;
  }
}
