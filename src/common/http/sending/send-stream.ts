import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pipeline } from 'node:stream/promises';

const CLIENT_IS_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends streams as the body of an answer whose head was sent. A failure has cut the connection, and is logged.
 * @param failure for the log, unless the client went away
 */
export async function sendStream(
  streams: readonly (NodeJS.ReadableStream | NodeJS.ReadWriteStream)[],
  response: ServerResponse,
  { log, failure }: { readonly log: Logger; readonly failure: string },
): Promise<void> {
  await pipeline([...streams, response]).catch((err: unknown) => {
    const isClientGone = typeof err === 'object' && err !== null && 'code' in err && err.code === CLIENT_IS_GONE;
    if (!isClientGone) log.error({ err }, failure);
  });
}
