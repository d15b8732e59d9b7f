import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

const FLUSH_BYTES = 4_096;
const FLUSH_EVERY_MS = 200;

/** Only what helps to find a fault: a database error would also carry the values it was given, secrets among them. */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { code } : {}),
  };
}

/** Lines of JSON on standard output, or readable ones for people. */
export function createLogger({ level, isForPeople }: { level: string; isForPeople: boolean }): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorForLog } };
  return pino(options, destination(isForPeople));
}

function destination(isForPeople: boolean): DestinationStream {
  if (isForPeople) {
    return pretty({
      sync: true,
      singleLine: true,
      translateTime: 'SYS:HH:MM:ss',
      messageFormat: '{msg} {method} {path} {status}',
      ignore: 'method,path,status',
    });
  }
  const stream = pino.destination({ sync: false, minLength: FLUSH_BYTES });
  setInterval(() => {
    stream.flush();
  }, FLUSH_EVERY_MS).unref();
  return stream;
}

/** Lets the frame write into the same log. */
export class FrameLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: unknown, context?: unknown): void {
    this.logger.error({ context, stack }, String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }
}
