import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { SettingsError, type Settings } from './config/settings.js';
import { Drain } from './health/drain.js';

interface Service {
  readonly app: INestApplication<Server>;
  readonly settings: Settings;
  readonly log: Logger;
}

/** `EX_CONFIG` of sysexits.h: the operator has to change something first. */
const EXIT_CONFIG = 78;
const EXIT_FAILED = 1;
/** Longer than a request may take is not waited for. */
const DRAIN_LIMIT_MS = 8_000;

/**
 * Starts the service and stops it on SIGTERM and SIGINT, after every accepted request was answered.
 *
 * @returns the port that it listens on, or `null` where it could not start
 */
export async function serve(create: () => Promise<Service>): Promise<number | null> {
  try {
    const service = await create();
    const { app, settings, log } = service;
    await app.listen(settings.port, settings.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    log.info({ host: settings.host, port, mode: settings.mode }, 'listening');
    stopOnSignals(service);
    return port;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = error instanceof SettingsError ? EXIT_CONFIG : EXIT_FAILED;
    // What was opened before the failure would keep the process alive.
    setTimeout(() => process.exit(), 100).unref();
    return null;
  }
}

function explain(error: unknown): string {
  const { code, port, message } = error as { code?: string; port?: number; message?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port ?? ''} is in use. Stop the other program or choose another port: PORT=3001.`;
  return message ?? String(error);
}

function stopOnSignals({ app, log }: Service): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    const server = app.getHttpServer();
    app.get(Drain).begin();
    const idle = setInterval(() => {
      server.closeIdleConnections();
    }, 50);
    const limit = setTimeout(() => {
      server.closeAllConnections();
    }, DRAIN_LIMIT_MS);
    void app.close().finally(() => {
      clearInterval(idle);
      clearTimeout(limit);
      log.info('stopped');
      log.flush(() => process.exit(0));
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
