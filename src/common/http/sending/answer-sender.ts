import type { Response, Request } from 'express';
import { holds } from '../answer.js';
import { encoded, encodingFor, LEAST_BYTES, type Encoding } from './encoding.js';
import { withinAnswerMemory } from './long-answer-memory.js';
import { finished } from 'node:stream';
import { isBodyKeptBack } from '../body/unread-body.js';

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

/** The validator of an encoded answer, which has other bytes: `"7"` -> `"7-br"`. */
function encodedTag(etag: string, encoding: Encoding | null): string {
  return encoding === null ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}
