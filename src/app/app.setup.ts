import type { INestApplication } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { NestFactory } from '@nestjs/core';
import type { Express, Request } from 'express';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { AppModule, type Signals } from './app.module.js';
import { limitEgress } from './egress/egress.js';
import { Audit } from '../audit/audit.js';
import { isCheckPath } from '../auth/check/check.controller.js';
import { ErrorFilter } from '../common/errors/error.filter.js';
import { answerConnectionErrors } from '../common/http/connection-errors.js';
import { ContentAdapter } from '../common/http/sending/content-adapter.js';
import { oneAuthorization, forwardedHops, unexpectedForwarding } from '../common/http/arriving/gateway.js';
import { unreadBody } from '../common/http/body/unread-body.js';
import { LoadLimit, LoopDelay } from '../common/http/arriving/load-limit.js';
import { requestContext } from '../common/http/request-context.js';
import { requestMetrics } from '../common/http/request-metrics.js';
import { requestSpans } from '../common/http/request-spans.js';
import { requestScope } from '../common/tracing/request-scope.js';
import { requestTurns } from '../common/http/arriving/turns.js';
import { RouteTable } from '../common/http/routes/route-table.js';
import { NestLogger } from '../common/logging/nest-logger.js';
import { validationPipe } from '../common/validation.pipe.js';
import type { Settings } from '../config/settings.js';
import { asUnavailable } from '../database/dialect/database-error.js';
import { metricsFor } from '../metrics/metrics-for.js';
import { tracingFor } from '../tracing/tracing-for.js';

/** What pages of `CORS_ORIGINS` may send, beside what every page may. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
  'X-Requested-With',
  // What browsers' tracing libraries add to every request.
  'baggage',
  'sentry-trace',
  'traceparent',
  'tracestate',
];
/** What they may read of an answer. */
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Service-Tokens',
  'X-Request-Id',
];

/**
 * The whole service, ready to listen: what `main.ts` starts and what every end-to-end test talks to.
 *
 * @param isLoopWatched whether requests are refused while the event loop is late
 */
export async function createApp(
  settings: Settings,
  log: Logger,
  { isLoopWatched = true } = {},
): Promise<INestApplication<Server>> {
  limitEgress(settings, log);
  const adapter = new ContentAdapter(settings.gateway);
  const express = adapter.getInstance<Express>();
  express.set('trust proxy', settings.trustProxy);
  Object.assign(express.locals, pageInfo(settings));
  const signals = { metrics: await metricsFor(settings), tracing: await tracingFor(settings, log) };
  const app = await NestFactory.create<INestApplication<Server>>(AppModule.forRoot(settings, log, signals), adapter, {
    bodyParser: false,
    logger: new NestLogger(log),
    abortOnError: false,
  });
  const loop = isLoopWatched ? LoopDelay.watch() : null;
  useOnEachRequest(app, { settings, log, isLate: loop?.isLate, ...signals });
  app.useGlobalPipes(validationPipe);
  const audit = app.get(Audit);
  const errors = new ErrorFilter(log, new RouteTable(express), asUnavailable, (request, failure) => {
    audit.noteRequest(request, failure);
  });
  app.useGlobalFilters(errors);
  app.getHttpServer().once('close', () => {
    errors.close();
    loop?.end();
  });
  answerConnectionErrors(app.getHttpServer(), settings.gateway);
  return app;
}

interface Passage extends Signals {
  readonly settings: Settings;
  readonly log: Logger;
  readonly isLate: (() => boolean) | undefined;
}

/** What each request passes before its route, in this order. */
function useOnEachRequest(app: INestApplication<Server>, { settings, log, isLate, metrics, tracing }: Passage): void {
  if (metrics.isOn) app.use(requestMetrics(metrics));
  app.use(requestContext(log, { isHttps: settings.publicUrl.startsWith('https:') }));
  if (tracing.isOn) app.use(requestSpans(tracing));
  if (typeof settings.trustProxy === 'number') app.use(forwardedHops(settings.trustProxy, log));
  if (settings.trustProxy === false) app.use(unexpectedForwarding(log));
  if (settings.corsOrigins.length > 0) app.enableCors(cors(settings));
  app.use(app.get(LoadLimit).middleware(isLate));
  app.use(oneAuthorization);
  app.use(requestTurns());
  app.use(requestScope(settings.slowQueries.areTracked));
  app.use(unreadBody);
}

/** What own pages say of the service: its name, and the site that they lead back to. */
function pageInfo({ publicUrl, siteUrl, siteName }: Settings): { readonly service: string; readonly site?: string } {
  return { service: siteName, ...(siteUrl === publicUrl ? {} : { site: siteUrl }) };
}

/**
 * No preflight is answered where gateways ask: the answer needs no credential, and a gateway that asks with the method of its
 * client would let every `OPTIONS` pass.
 */
function cors({ corsOrigins, corsHeaders, gateway }: Settings): CorsOptionsDelegate<Request> {
  const ofGateway = gateway.tokenHeader === null ? [] : [gateway.tokenHeader];
  const allowedHeaders = [...ALLOWED_HEADERS, ...ofGateway, ...corsHeaders];
  // Consoles on those origins may keep their refresh token in a cookie.
  const allowed = { credentials: true, allowedHeaders, exposedHeaders: EXPOSED_HEADERS, maxAge: 600 } as const;
  const options: CorsOptions = { ...allowed, origin: [...corsOrigins] };
  return ({ method, path }, answer) => {
    answer(null, method === 'OPTIONS' && isCheckPath(path) ? { origin: false } : options);
  };
}
