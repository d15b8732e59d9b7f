import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pipeline } from 'node:stream/promises';

const CLIENT_IS_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

/**
 * Sends the output of streams as the body of an answer whose head has been sent. What goes wrong now has cut the
 * connection already, since an answer that ends in good order would look complete: there is nothing left to do but to
 * log it.
 *
 * @param streams from the source to what the answer gets
 * @param failure what the log says, unless it is the client who went away
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
