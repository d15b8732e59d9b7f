import { createRequire } from 'node:module';
import { pino, type DestinationStream, type Logger } from 'pino';
import type pretty from 'pino-pretty';
import { traceFields } from '../tracing/request-scope.js';

const FLUSH_BYTES = 4_096;
const FLUSH_EVERY_MS = 200;
const CLOSE_LIMIT_MS = 1_000;
/** Lines that are kept while they are not taken, for example on a full disk; the rest is lost. */
const MAX_HELD_BYTES = 1024 * 1024;

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
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorForLog },
    mixin: () => traceFields(),
  };
  return pino(options, destination(isForPeople));
}

function destination(isForPeople: boolean): DestinationStream {
  if (isForPeople) {
    // Loaded for people only: a service that writes JSON starts sooner without it.
    const prettily = createRequire(import.meta.url)('pino-pretty') as typeof pretty;
    return prettily({
      sync: true,
      singleLine: true,
      translateTime: 'SYS:HH:MM:ss',
      messageFormat: '{msg} {method} {path} {status}',
      ignore: 'method,path,status',
    });
  }
  const stream = pino.destination({ sync: false, minLength: FLUSH_BYTES, maxLength: MAX_HELD_BYTES });
  // Without a listener the error would end the service. Lines that cannot be written wait for space on the disk.
  stream.on('error', () => undefined);
  setInterval(() => {
    stream.flush();
  }, FLUSH_EVERY_MS).unref();
  return stream;
}

/** Writes what is left of a log, within a second. @param done called once, in any case */
export function closeLog(log: Logger, done: () => void): void {
  let isOver = false;
  const end = (): void => {
    clearTimeout(limit);
    if (!isOver) done();
    isOver = true;
  };
  const giveUp = (): void => {
    // What pino does at the end of a process waits for room on a full disk for ever, but leaves an ended stream alone.
    (log as unknown as Record<symbol, { destroy?(): void }>)[pino.symbols.streamSym]?.destroy?.();
    end();
  };
  const flush = (then: () => void): void => {
    log.flush((error?: NodeJS.ErrnoException) => {
      // A pipe or a terminal cannot be synchronised (`EINVAL`), but has got the lines by then.
      if (error && error.syscall !== 'fsync') giveUp();
      else then();
    });
  };
  const limit = setTimeout(giveUp, CLOSE_LIMIT_MS);
  // The first one may end with a write that had begun before the last lines.
  flush(() => {
    flush(end);
  });
}
