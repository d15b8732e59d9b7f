import type { Request } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import { pathOf } from '../request-context.js';

/** How the bytes of an answer are packed. @see RFC 9110, section 8.4.1 */
export type Encoding = 'br' | 'gzip';

/** Shorter answers fit into few packets anyway. */
export const LEAST_BYTES = 4_096;
/** Beyond that, each further percent costs several times the processor. */
const LEVEL = 4;
/** 256 KiB: the memory of an answer that is being sent grows with it. */
const WINDOW_BITS = 18;
/** An answer there has secrets of its reader beside what others have chosen: its length would tell of them. */
const SECRETS = '/api/auth';

const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: LEVEL, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS },
};
const GZIP: ZlibOptions = { level: LEVEL };

const withBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const withGzip = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** The encoding for an answer of a request; `null`: the client takes none, or there may be none. */
export function encodingFor(request: Request): Encoding | null {
  if (request.headers['accept-encoding'] === undefined || pathOf(request.originalUrl).startsWith(SECRETS)) return null;
  const accepted = request.acceptsEncodings();
  return (['br', 'gzip'] as const).find((one) => accepted.includes(one)) ?? null;
}

/** Packed by the threads of Node: the event loop goes on meanwhile. */
export function encoded(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? withBrotli(bytes, BROTLI) : withGzip(bytes, GZIP);
}

/** The same for what is made piece by piece. */
export async function* encodedPieces(pieces: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const packer = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  // A failure of the source ends the packer with it, and the loop below.
  pipeline(Readable.from(pieces), packer, () => undefined);
  for await (const packed of packer) yield packed as Buffer;
}
