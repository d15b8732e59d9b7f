import type { INestApplication } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { NestFactory } from '@nestjs/core';
import type { Express, Request } from 'express';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { AppModule, type Signals } from './app.module.js';
import { Audit } from '../audit/audit.js';
import { isCheckPath } from '../auth/check/check.controller.js';
import { ErrorFilter } from '../common/errors/error.filter.js';
import { answerConnectionErrors } from '../common/http/connection-errors.js';
import { ContentAdapter } from '../common/http/sending/content-adapter.js';
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
import { registryFor } from '../metrics/metrics-for.js';
import { tracingFor } from '../tracing/tracing-for.js';

/** Headers of an answer that pages of `CORS_ORIGINS` may read. */
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

/** The whole service, ready to listen. @param isLoopWatched whether requests are refused while the event loop is late */
export async function createApp(
  settings: Settings,
  log: Logger,
  { isLoopWatched = true } = {},
): Promise<INestApplication<Server>> {
  const adapter = new ContentAdapter(settings.gateway);
  const express = adapter.getInstance<Express>();
  express.set('trust proxy', settings.trustProxy);
  Object.assign(express.locals, pageInfo(settings));
  const signals = { registry: registryFor(settings), tracing: await tracingFor(settings, log) };
  const app = await NestFactory.create<INestApplication<Server>>(AppModule.forRoot(settings, log, signals), adapter, {
    bodyParser: false,
    logger: new NestLogger(log),
    abortOnError: false,
  });
  const loop = isLoopWatched ? LoopDelay.watch() : null;
  useOnEachRequest(app, { settings, log, delay: loop?.delay, ...signals });
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
  answerConnectionErrors(app.getHttpServer());
  return app;
}

interface Passage extends Signals {
  readonly settings: Settings;
  readonly log: Logger;
  readonly delay: LoopDelay | undefined;
}

/** Steps that each request passes before its route, in this order. */
function useOnEachRequest(app: INestApplication<Server>, { settings, log, delay, registry }: Passage): void {
  if (settings.metricsPort !== null) app.use(requestMetrics(registry));
  app.use(requestContext(log, { isHttps: settings.publicUrl.startsWith('https:') }));
  if (settings.tracing !== null) app.use(requestSpans);
  if (settings.corsOrigins.length > 0) app.enableCors(cors(settings));
  app.use(app.get(LoadLimit).middleware(delay));
  app.use(requestTurns());
  app.use(requestScope(settings.slowQueries.areTracked));
  app.use(unreadBody);
}

/** Facts of the service that its own pages show: its name, and the site that they lead back to. */
function pageInfo({ publicUrl, siteUrl, siteName }: Settings): { readonly service: string; readonly site?: string } {
  return { service: siteName, ...(siteUrl === publicUrl ? {} : { site: siteUrl }) };
}

/** No preflight is answered at the path that gateways ask: a gateway that keeps the method would let every `OPTIONS` pass. */
function cors({ corsOrigins }: Settings): CorsOptionsDelegate<Request> {
  // Consoles on those origins may keep their refresh token in a cookie. They may send any header: the service reads what
  // it knows, and an origin that is trusted with credentials is not kept out by names.
  const allowed = { credentials: true, exposedHeaders: EXPOSED_HEADERS, maxAge: 600 };
  const options: CorsOptions = { ...allowed, origin: [...corsOrigins] };
  return ({ method, path }, answer) => {
    answer(null, method === 'OPTIONS' && isCheckPath(path) ? { origin: false } : options);
  };
}
