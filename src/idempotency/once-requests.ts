import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { AuthenticatedRequest } from '../common/access/access.decorators.js';
import { KeyedMutex } from '../common/concurrency/keyed-mutex.js';
import { ERROR_STATUS } from '../common/errors/catalogue.js';
import { DomainError } from '../common/errors/domain-error.js';
import { Answer, type AnswerHeaders } from '../common/http/answer.js';
import type { ServiceRequest } from '../common/http/request-context.js';
import { LOG } from '../common/logging/logging.module.js';
import { Dialect } from '../database/dialect/dialect.js';
import { REPEATABLE, UnitOfWork } from '../database/units/unit-of-work.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { idempotencyKey, keyedRequest, type KeyedRequest } from './keyed-request.js';
import { KeyTakenError, Once } from './once.js';

/** Characters of an answer that is kept. */
const MOST_KEPT = 524_288;

/** A request that is carried out by one unit of work. */
interface OneWrite<Body> {
  /** Carries it out. @param once its key, for the unit of work */
  readonly write: (once?: Once) => Promise<Answer<Body>>;
  /**
   * Answers it by the record that it has made or changed, as that is now.
   *
   * @throws {DomainError} the record is gone, or not for the caller
   */
  readonly read: (ref: number) => Promise<Answer<Body>>;
}

interface KeptAnswer<Body> {
  readonly body: Body;
  readonly headers: Pick<AnswerHeaders, 'status' | 'etag' | 'location'>;
}

/**
 * Carries requests with an `Idempotency-Key` out once. One that is sent again goes the same way up to its unit of work, so
 * that the rights of its caller are checked, and finds its key taken there.
 */
@Injectable()
export class OnceRequests {
  /** Queues of the requests of this process with one key: they wait here, where they hold no connection. */
  private readonly mutex = new KeyedMutex<string>();

  constructor(
    private readonly units: UnitOfWork,
    private readonly dialect: Dialect,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @throws {DomainError} `malformed_request`, `idempotency_key_reused`, `overloaded`, and what `write` or `read` throws */
  async run<Body>(request: ServiceRequest & AuthenticatedRequest, work: OneWrite<Body>): Promise<Answer<Body>> {
    const key = idempotencyKey(request.headers);
    if (key === null) return work.write();
    const keyed = await keyedRequest(request, key);
    return this.mutex.run(`${keyed.caller} ${keyed.hash}`, () => this.once(keyed, work));
  }

  /**
   * {@link run} for a request of many units of work, each of which can be carried out again.
   *
   * @param write gets whether the request was broken off before
   * @throws {DomainError} `malformed_request`, `idempotency_key_reused`, `overloaded`: it is under way, and what `write` throws
   */
  async runMany<Body>(
    request: ServiceRequest & AuthenticatedRequest,
    write: (isRepeated: boolean) => Promise<Answer<Body>>,
  ): Promise<Answer<Body>> {
    const key = idempotencyKey(request.headers);
    if (key === null) return write(false);
    const keyed = await keyedRequest(request, key);
    return this.mutex.run(`${keyed.caller} ${keyed.hash}`, () => this.many(keyed, write));
  }

  private async many<Body>(keyed: KeyedRequest, write: (isRepeated: boolean) => Promise<Answer<Body>>) {
    const once = new Once(this.dialect, keyed);
    const found = await this.units.run((manager) => once.take(manager), REPEATABLE);
    if (found === null) {
      const earlier = await this.find(keyed);
      if (earlier) requireSame(keyed, earlier);
      const kept = earlier && keptAnswer<Body>(earlier);
      if (!kept) throw new KeyTakenError();
      return Answer.replayed(kept.body, kept.headers);
    }
    try {
      const answer = await write(found === 'left');
      await this.keep(keyed, answer);
      return answer;
    } catch (error) {
      const { caller, hash } = keyed;
      await this.units.run((manager) => manager.delete(IdempotencyKey, { caller, hash }), REPEATABLE);
      throw error;
    }
  }

  private async once<Body>(keyed: KeyedRequest, { write, read }: OneWrite<Body>): Promise<Answer<Body>> {
    let answer: Answer<Body>;
    try {
      answer = await write(new Once(this.dialect, keyed));
    } catch (error) {
      const earlier = mayBeCarriedOut(error) ? await this.find(keyed) : null;
      if (earlier === null) throw error;
      return replayed(keyed, earlier, read);
    }
    await this.keep(keyed, answer);
    return answer;
  }

  private find({ caller, hash }: KeyedRequest): Promise<IdempotencyKey | null> {
    return this.units.run((manager) => manager.findOneBy(IdempotencyKey, { caller, hash }), REPEATABLE);
  }

  /** Keeps an answer that is not long. If that fails, the record is read instead. */
  private async keep({ caller, hash }: KeyedRequest, { body, headers }: Answer<unknown>): Promise<void> {
    const { status, etag, location } = headers;
    const answer = JSON.stringify({ body, headers: { status, etag, location } });
    if (answer.length > MOST_KEPT) return;
    try {
      await this.units.run((manager) => manager.update(IdempotencyKey, { caller, hash }, { answer }), REPEATABLE);
    } catch (error) {
      this.log.warn({ err: error }, 'the answer to a request with an Idempotency-Key was not kept');
    }
  }
}

/** True if a request with the key may be the reason of a failure. The lack of a right comes before any answer. */
function mayBeCarriedOut(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false;
  return error instanceof KeyTakenError || (ERROR_STATUS[error.error] < 500 && error.error !== 'insufficient_scope');
}

async function replayed<Body>(keyed: KeyedRequest, earlier: IdempotencyKey, read: OneWrite<Body>['read']) {
  requireSame(keyed, earlier);
  const now = await read(earlier.ref);
  const { body, headers } = keptAnswer<Body>(earlier) ?? now;
  return Answer.replayed(body, headers);
}

function requireSame({ request }: KeyedRequest, earlier: IdempotencyKey): void {
  if (earlier.request === request) return;
  throw new DomainError(
    'idempotency_key_reused',
    'This Idempotency-Key was sent with another request. Use a new key for each request, and the same key to repeat one.',
  );
}

/** Written by `keep`, of an answer of the same route. */
function keptAnswer<Body>({ answer }: IdempotencyKey): KeptAnswer<Body> | null {
  return answer === null ? null : (JSON.parse(answer) as KeptAnswer<Body>);
}
