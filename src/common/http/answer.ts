import { createHash } from 'node:crypto';
import { ownTurn } from '../concurrency/own-turn.js';
import type { ListEnvelope } from '../envelope.js';
import { DomainError } from '../errors/domain-error.js';
import { arrayText, textPieces } from '../text/text-pieces.js';

export interface AnswerHeaders {
  /** Validator of the body, quotation marks included. `content`: made from the bytes of the body. */
  readonly etag?: string;
  readonly location?: string;
  /** Whole `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
  /** In place of the status of the handler. */
  readonly status?: number;
  readonly others?: Readonly<Record<string, string>>;
  /** True if a client that holds the validator may be answered with 304. */
  readonly isConditional?: boolean;
}

/** An answer of a handler that has more to say than a body: a validator, or where the created thing lives. */
export class Answer<T> {
  private constructor(
    readonly body: T,
    readonly headers: AnswerHeaders,
  ) {}

  /** A body of which the caller knows a validator, for example the version of a record. A write is never conditional. */
  static tagged<T>(body: T, etag: string, { isConditional = false } = {}): Answer<T> {
    return new Answer(body, { etag, isConditional });
  }

  /** A body whose validator is made from its bytes: always right, whatever it was put together from. */
  static hashed<T>(body: T): Answer<T> {
    return new Answer(body, { etag: 'content', isConditional: true });
  }

  /** A list that may be long, written in several turns of the event loop; its validator is made from its bytes. */
  static async listed<T>(
    { data, meta }: ListEnvelope<T>,
    textOf: (item: T) => Iterable<string> = (item) => [JSON.stringify(item)],
  ): Promise<Answer<Buffer>> {
    const { bytes, etag } = await taggedBytes(listText(data, meta, textOf));
    return Answer.tagged(bytes, etag, { isConditional: true });
  }

  static withCookies<T>(body: T, ...cookies: readonly string[]): Answer<T> {
    return new Answer(body, { cookies });
  }

  static withHeaders<T>(body: T, others: Readonly<Record<string, string>>): Answer<T> {
    return new Answer(body, { others });
  }

  /** The answer to a request that was carried out before, and is not again. */
  static replayed<T>(body: T, { status, etag, location }: AnswerHeaders): Answer<T> {
    return new Answer(body, { status, etag, location, others: { 'Idempotent-Replayed': 'true' } });
  }

  /** Nothing but where to go on, with GET. */
  static seeOther(location: string, status: 302 | 303 = 303): Answer<undefined> {
    return new Answer(undefined, { location, status });
  }

  static empty(status: number): Answer<undefined> {
    return new Answer(undefined, { status });
  }

  static created<T>(body: T, location: string, etag?: string): Answer<T> {
    return new Answer(body, { location, status: 201, ...(etag === undefined ? {} : { etag }) });
  }
}

function* listText<T>(data: readonly T[], meta: object, textOf: (item: T) => Iterable<string>): Generator<string> {
  yield '{"data":';
  yield* arrayText(data, textOf);
  yield `,"meta":${JSON.stringify(meta)}}`;
}

/** The validator of what has a version: `"7"`. */
export function versionTag({ version }: { readonly version: number }): string {
  return `"${version}"`;
}

/** `"…"`, from the bytes of a body. */
export function contentTag(bytes: Buffer): string {
  return `"${createHash('sha1').update(bytes).digest('base64url')}"`;
}

/** A text that may be long as bytes, with the validator that {@link contentTag} makes of them; in several turns of the loop. */
export async function taggedBytes(parts: Iterable<string>): Promise<{ readonly bytes: Buffer; readonly etag: string }> {
  const hash = createHash('sha1');
  const pieces: Buffer[] = [];
  for await (const piece of textPieces(parts)) {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    pieces.push(bytes);
  }
  return { bytes: await joined(pieces), etag: `"${hash.digest('base64url')}"` };
}

/** The pieces in one buffer, copied one by one: the memory of a long text is taken page by page as it is written. */
async function joined(pieces: readonly Buffer[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    await ownTurn();
    end += piece.copy(whole, end);
  }
  return whole;
}

/** The end that an encoding adds to a validator: `"7-br"`. */
const ENCODED = /-(?:br|gzip)"$/;

/** True if one of the validators a client holds (`If-None-Match`) is this one. Weak and strong ones compare equal. */
export function holds(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((held) => held.trim() === '*' || held.trim().replace(/^W\//, '') === etag);
}

/** True if the validators of a write (`If-Match`) include this one, whatever encoding their answer had. */
function matchesIfMatch(header: string, etag: string): boolean {
  return header.split(',').some((held) => holds(held, etag) || holds(held.trim().replace(ENCODED, '"'), etag));
}

/**
 * @param what the thing that has a version, as messages call it
 * @throws {DomainError} `version_conflict`: it is at none of the versions that a write insists on (`If-Match`)
 */
export function requireIfMatch(header: string | undefined, what: string, { version }: { version: number }): void {
  const etag = versionTag({ version });
  if (header === undefined || matchesIfMatch(header, etag)) return;
  const message = `The ${what} has changed since you read it; it is at version ${version} now.`;
  throw new DomainError('version_conflict', message, { details: [{ version }], headers: { ETag: etag } });
}
