import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { textPieces } from '../text-pieces.js';
import { isFresh, sendJson, tag } from './answer-headers.js';
import { endAnswer } from './end-answer.js';
import { Places } from './places.js';
import { sendStream } from './send-stream.js';

/** The JSON text of an answer, part by part. Called once for the validator, and once more if the answer is not kept. */
export type Parts = () => Iterable<string> | AsyncIterable<string>;

/** Up to so many bytes an answer is kept until it is sent; above, it is made anew while it is sent. */
const KEPT_BYTES = 1_048_576;
/** Pieces of all long answers that are in memory until their readers take them. */
const PIECES_IN_FLIGHT = 32;
/** A reader who takes nothing for so long loses the connection: the piece that waits for them holds up others. */
const IDLE_MS = 30_000;

const places = new Places(PIECES_IN_FLIGHT);

/**
 * An answer that is too long to be made in one go: it is made piece by piece, each in a turn of the event loop of its
 * own, and as fast as it is read. Its validator is that of its bytes, as it is for short ones, which takes one pass
 * over all of it. What changes before the second pass is sent as it is then: never older than the validator.
 */
export class LongAnswer {
  private constructor(
    readonly etag: string,
    private readonly kept: Buffer | null,
    private readonly parts: Parts,
  ) {}

  static async of(parts: Parts): Promise<LongAnswer> {
    const hash = createHash('sha1');
    let kept: Buffer[] | null = [];
    let length = 0;
    for await (const piece of pieces(parts())) {
      hash.update(piece);
      length += piece.length;
      if (length > KEPT_BYTES) kept = null;
      kept?.push(piece);
    }
    return new LongAnswer(`"${hash.digest('base64url')}"`, kept && Buffer.concat(kept), parts);
  }

  async send(request: Request, response: Response, log: Logger): Promise<void> {
    tag(response, this.etag);
    if (isFresh(request, this.etag)) {
      response.statusCode = 304;
      endAnswer(response);
    } else if (this.kept) {
      sendJson(response, this.kept);
    } else {
      await this.stream(request, response, log);
    }
  }

  private async stream(request: Request, response: Response, log: Logger): Promise<void> {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (request.method === 'HEAD') {
      endAnswer(response);
      return;
    }
    response.setTimeout(IDLE_MS, () => response.destroy());
    await sendStream([Readable.from(paced(this.parts())), response], log, 'a long answer broke off');
  }
}

async function* pieces(parts: ReturnType<Parts>): AsyncGenerator<Buffer> {
  for await (const text of textPieces(parts)) yield Buffer.from(text);
}

/** One piece after the other, each made when there is a place for it and gone when the next one is asked for. */
async function* paced(parts: ReturnType<Parts>): AsyncGenerator<Buffer> {
  const made = pieces(parts);
  try {
    for (;;) {
      const leave = await places.enter();
      try {
        const piece = await made.next();
        if (piece.done === true) return;
        yield piece.value;
      } finally {
        leave();
      }
    }
  } finally {
    await made.return(undefined);
  }
}
