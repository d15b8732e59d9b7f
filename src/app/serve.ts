import type { INestApplication } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { IdentityProviders } from '../auth/proofs/provider/passport/identity-providers.js';
import { closeLog } from '../common/logging/logger.js';
import { SettingsError, type Settings } from '../config/settings.js';
import { Dialect } from '../database/dialect/dialect.js';
import { serversOf } from '../database/mysql/mysql-dialect.js';
import { NewerSchemaError } from '../database/schema/newer-schema-error.js';
import { SecretMismatchError } from '../database/shared-secret.js';
import { HealthService } from '../health/health.service.js';
import { MetricsServer } from '../metrics/metrics-server.js';

interface Service {
  readonly app: INestApplication<Server>;
  readonly settings: Settings;
  readonly log: Logger;
}

/** `EX_CONFIG` of sysexits.h: the operator has to change something first. */
const EXIT_CONFIG = 78;
const EXIT_FAILED = 1;
/** A pause without a new connection; after so many in a row, every accepted connection has been seen by the process. */
const PAUSE_MS = 50;
const QUIET_PAUSES = 10;
const MAX_PAUSES = 60;
/** Longer than this no answer is waited for, neither by clients nor of a database server. */
const DRAIN_LIMIT_MS = 8_000;

/** Starts the service and stops it on SIGTERM and SIGINT. @returns its port, or `null`: it could not start */
export async function serve(create: () => Promise<Service>): Promise<number | null> {
  try {
    const service = await create();
    const { app, settings, log } = service;
    await app.get(IdentityProviders).load();
    await app.listen(settings.port, settings.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    await openMetrics(service);
    log.info({ host: settings.host, port, mode: settings.mode }, 'listening');
    stopOnSignals(service);
    return port;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = isForOperator(error) ? EXIT_CONFIG : EXIT_FAILED;
    // What was opened before the failure would keep the process alive.
    setTimeout(() => process.exit(), 100).unref();
    return null;
  }
}

async function openMetrics({ app, settings: { metricsPort, host }, log }: Service): Promise<void> {
  if (metricsPort === null) return;
  const { port } = await MetricsServer.open(app.get(Registry), { host, port: metricsPort });
  log.info({ host, metrics_port: port }, 'metrics can be read');
}

/** True if an operator chose what is wrong: settings, or this version for that database. A new start would not help. */
function isForOperator(error: unknown): boolean {
  return error instanceof SettingsError || error instanceof NewerSchemaError || error instanceof SecretMismatchError;
}

function explain(error: unknown): string {
  const { code, port, message } = error as { code?: string; port?: number; message?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port ?? ''} is in use. Stop the other program or choose another port: PORT=3001.`;
  return message ?? String(error);
}

function stopOnSignals(service: Service): void {
  let isStopping = false;
  const onSignal = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
    service.log.info({ signal }, 'stopping');
    void stop(service).finally(() => {
      service.log.info('stopped');
      closeLog(service.log, () => process.exit(0));
    });
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
}

/** Takes requests while load balancers turn away, then answers what was accepted in its time, and closes the application. */
export async function stop({ app, log, settings }: Service): Promise<void> {
  const server = app.getHttpServer();
  app.get(HealthService).drain();
  // With `Connection: close` clients do not send another request into a connection that is about to end.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  if (settings.drainDelaySeconds > 0) await sleep(settings.drainDelaySeconds * 1_000);
  const limit = setTimeout(() => {
    breakOff(server, log);
    serversOf(app.get(Dialect))?.breakOff();
  }, DRAIN_LIMIT_MS);
  await lastArrivals(server);
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, 50);
  await app.close().finally(() => {
    clearInterval(idle);
    clearTimeout(limit);
  });
}

function breakOff(server: Server, log: Logger): void {
  server.getConnections((_error, connections) => {
    if (connections > 0)
      log.warn({ connections }, 'connections are ended before their answer: the stop waits no longer');
  });
  server.closeAllConnections();
}

/**
 * Waits for clients that the system has connected and the process has not seen.
 * Counted in turns of the event loop: a busy process sees no connection for a while.
 */
async function lastArrivals(server: Server): Promise<void> {
  let quiet = 0;
  server.on('connection', () => (quiet = 0));
  for (let pauses = 0; quiet < QUIET_PAUSES && pauses < MAX_PAUSES; pauses += 1) {
    quiet += 1;
    await sleep(PAUSE_MS);
  }
}
