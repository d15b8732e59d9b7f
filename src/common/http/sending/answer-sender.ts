import type { Response, Request } from 'express';
import { holds } from '../answer.js';
import { withinAnswerMemory } from './long-answer-memory.js';
import { finished, Readable, pipeline } from 'node:stream';
import { isBodyKeptBack } from '../body/unread-body.js';
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

/** Answers from this size on take from the memory for long answers, which a slow reader keeps occupied. */
const HEAVY_BYTES = 65_536;

/** Sends JSON bodies: as 304, compressed, or as they are. */
export class AnswerSender {
  /** @param isPacking whether answers are compressed where a client takes that */
  constructor(private readonly options: { readonly isPacking: boolean }) {}

  /** The encoding of a long answer; `null`: none. */
  encodingOf(response: Response): Encoding | null {
    return this.options.isPacking ? encodingFor(response.req) : null;
  }

  /** The validator, of the answer as it is encoded, and that there are others. */
  describe(response: Response, etag: string, encoding: Encoding | null): void {
    tag(response, encodedTag(etag, encoding));
    this.vary(response);
  }

  /** Answers 304 where the client holds the answer, in an encoding that it takes. @returns whether it did */
  sendNotModified(response: Response, etag: string): boolean {
    const { isPacking } = this.options;
    // A gateway that packs answers may add the encoding to their validators.
    const encodings = isPacking ? [this.encodingOf(response), null] : ([null, 'gzip', 'br'] as const);
    const held = encodings.map((encoding) => encodedTag(etag, encoding)).find((one) => isFresh(response.req, one));
    if (held === undefined) return false;
    tag(response, isPacking ? held : etag);
    this.vary(response);
    response.statusCode = 304;
    endAnswer(response);
    return true;
  }

  /**
   * @param etag validator of the body as it is; none: it has none
   * @throws {DomainError} `overloaded`: too many long answers are being sent, to this reader or to all
   */
  send(response: Response, bytes: Buffer, etag?: string): Promise<void> | undefined {
    const encoding = bytes.length < LEAST_BYTES ? null : this.encodingOf(response);
    if (encoding !== null) return this.sendEncoded(response, { bytes, etag, encoding });
    return this.sendBytes(response, { bytes, etag, encoding });
  }

  private async sendEncoded(response: Response, { bytes, etag, encoding }: Packed): Promise<void> {
    const packed = await encoded(bytes, encoding);
    await this.sendBytes(response, { bytes: packed, etag, encoding });
  }

  private sendBytes(response: Response, body: Body): Promise<void> | undefined {
    if (body.bytes.length >= HEAVY_BYTES) return this.sendHeavy(response, body);
    this.write(response, body);
    return undefined;
  }

  /** Occupies memory for long answers until the reader has received the answer, or has disconnected. */
  private async sendHeavy(response: Response, body: Body): Promise<void> {
    const { req: request } = response;
    await withinAnswerMemory({ request, response, weight: body.bytes.length }, async () => {
      const isOver = new Promise((resolve) => response.once('close', resolve));
      this.write(response, body);
      await isOver;
    });
  }

  private write(response: Response, { bytes, etag, encoding }: Body): void {
    if (etag !== undefined) this.describe(response, etag, encoding);
    else this.vary(response);
    if (encoding !== null) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes.length);
    endAnswer(response, bytes);
  }

  private vary(response: Response): void {
    if (this.options.isPacking) response.appendHeader('Vary', 'Accept-Encoding');
  }
}

interface Body {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
  readonly encoding: Encoding | null;
}

interface Packed extends Body {
  readonly encoding: Encoding;
}

/** Headers in which credentials come, as `Vary` names them. */
interface Locals {
  readonly credentialHeaders?: string;
}

/** The validator, and who may keep what it belongs to. */
function tag(response: Response, etag: string): void {
  const { credentialHeaders = 'Authorization' } = response.app.locals as Locals;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.appendHeader('Vary', credentialHeaders);
}

/** Whether the client holds what would be sent. */
function isFresh({ method, headers }: Request, etag: string): boolean {
  return (method === 'GET' || method === 'HEAD') && holds(headers['if-none-match'], etag);
}

/** What is left of a body is waited for so long. */
const REST_MS = 5_000;
const REQUEST_TIMEOUT = 408;

/**
 * Sends what is left of an answer at once, and ends it when the request has arrived whole, or has had its time. A
 * connection that is closed while the client sends would be reset, and the answer lost before the client has read it.
 */
export function endAnswer(response: Response, bytes?: Buffer): void {
  const { req: request, statusCode } = response;
  const isWhole = request.complete || !hasBody(request.headers);
  if (isWhole || isBodyKeptBack(response) || statusCode === REQUEST_TIMEOUT) {
    response.end(bytes);
    return;
  }
  response.flushHeaders();
  if (bytes) response.write(bytes);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, REST_MS);
  finished(request.resume(), end);
}

function hasBody(headers: Response['req']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** How the bytes of an answer are packed. @see RFC 9110, section 8.4.1 */
export type Encoding = 'br' | 'gzip';

/** Shorter answers fit into few packets anyway. */
const LEAST_BYTES = 4_096;
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
function encodingFor(request: Request): Encoding | null {
  if (request.headers['accept-encoding'] === undefined || pathOf(request.originalUrl).startsWith(SECRETS)) return null;
  const accepted = request.acceptsEncodings();
  return (['br', 'gzip'] as const).find((one) => accepted.includes(one)) ?? null;
}

/** Packed by the threads of Node: the event loop goes on meanwhile. */
function encoded(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? withBrotli(bytes, BROTLI) : withGzip(bytes, GZIP);
}

/** The same for what is made piece by piece. */
export async function* encodedPieces(pieces: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const packer = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  // A failure of the source ends the packer with it, and the loop below.
  pipeline(Readable.from(pieces), packer, () => undefined);
  for await (const packed of packer) yield packed as Buffer;
}

/** The validator of an encoded answer, which has other bytes: `"7"` -> `"7-br"`. */
function encodedTag(etag: string, encoding: Encoding | null): string {
  return encoding === null ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}
