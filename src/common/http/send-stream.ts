import type { Logger } from 'pino';
import { pipeline } from 'node:stream/promises';

const CLIENT_IS_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends what streams give as the body of an answer whose head is on its way. What goes wrong now has cut the connection
 * already, since an answer that ends in good order would look complete: there is nothing left to do but to log it.
 *
 * @param streams from the source to the answer
 * @param failure what the log says, unless it is the client who went away
 */
export async function sendStream(
  streams: readonly (NodeJS.ReadableStream | NodeJS.WritableStream | NodeJS.ReadWriteStream)[],
  log: Logger,
  failure: string,
): Promise<void> {
  await pipeline(streams).catch((err: unknown) => {
    const isClientGone = err instanceof Error && 'code' in err && err.code === CLIENT_IS_GONE;
    if (!isClientGone) log.error({ err }, failure);
  });
}
