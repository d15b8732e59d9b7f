import type { Response } from 'express';
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { textPieces } from '../../text/text-pieces.js';
import { type AnswerSender, endAnswer, encodedPieces, type Encoding } from './answer-sender.js';
import { longestMs } from './least-rate.js';
import { Semaphore } from '../../concurrency/semaphore.js';
import { withinAnswerMemory } from './long-answer-memory.js';

/** The JSON text of an answer, part by part. Called once for the validator, and once more if the answer is not kept. */
export type Parts = () => Iterable<string> | AsyncIterable<string>;

/** Up to so many bytes an answer is kept until it is sent; above, it is made anew while it is sent. */
const KEPT_BYTES = 1_048_576;
/**
 * What a long answer holds in memory while it is sent: a piece, the text that it was made of and the record behind
 * that. It weighs as much as it is long, up to so many bytes.
 */
const MAX_WEIGHT = 4_194_304;
/** Each has a long record in memory, and they only take turns: more at once would not be ready sooner. */
const FIRST_PASSES = 16;

const passes = new Semaphore(FIRST_PASSES);

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
    private readonly length: number,
  ) {}

  static async of(parts: Parts): Promise<LongAnswer> {
    const leave = await passes.acquire();
    try {
      return await LongAnswer.passed(parts);
    } finally {
      leave();
    }
  }

  private static async passed(parts: Parts): Promise<LongAnswer> {
    const hash = createHash('sha1');
    let kept: Buffer[] | null = [];
    let length = 0;
    for await (const piece of pieces(parts())) {
      hash.update(piece);
      length += piece.length;
      if (length > KEPT_BYTES) kept = null;
      kept?.push(piece);
    }
    return new LongAnswer(`"${hash.digest('base64url')}"`, kept && Buffer.concat(kept), parts, length);
  }

  /** @throws {DomainError} `overloaded`: too many long answers are being sent, to this reader or to all */
  async send(response: Response, sender: AnswerSender, log: Logger): Promise<void> {
    const { req: request } = response;
    if (sender.sendNotModified(response, this.etag)) return;
    if (this.kept) return sender.send(response, this.kept, this.etag);
    const encoding = sender.encodingOf(response);
    const describe = (): void => {
      sender.describe(response, this.etag, encoding);
      if (encoding !== null) response.setHeader('Content-Encoding', encoding);
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
    };
    if (request.method === 'HEAD') {
      describe();
      endAnswer(response);
      return;
    }
    const weight = Math.min(this.length, MAX_WEIGHT);
    await withinAnswerMemory({ request, response, weight }, async () => {
      describe();
      await this.stream(response, encoding, log);
    });
  }

  /** Each piece is made when the one before it was taken. */
  private async stream(response: Response, encoding: Encoding | null, log: Logger): Promise<void> {
    const plain = pieces(this.parts());
    try {
      for await (const piece of encoding === null ? plain : encodedPieces(plain, encoding)) {
        if (response.destroyed) return;
        await taken(response, piece);
      }
      response.end();
    } catch (err) {
      // An answer that ended in good order would look complete.
      response.destroy();
      log.error({ err }, 'a long answer broke off');
    }
  }
}

async function* pieces(parts: ReturnType<Parts>): AsyncGenerator<Buffer> {
  for await (const text of textPieces(parts)) yield Buffer.from(text);
}

/** Settles when a piece has left, or the connection is gone: that of a reader who is too slow is cut. */
function taken(response: Response, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), longestMs(piece.length));
    const settle = (): void => {
      clearTimeout(timer);
      response.off('close', settle);
      resolve();
    };
    response.once('close', settle);
    response.write(piece, settle);
  });
}
