import type { Request, Response } from 'express';
import { ownTurn } from '../../concurrency/own-turn.js';
import type { ServiceRequest } from '../request-context.js';
import { WeightedSemaphore } from './weighted-semaphore.js';

/** Memory of all long answers that are being sent, in bytes; a quarter of it for each reader. */
const MEMORY_BYTES = 134_217_728;
const WAIT_MS = 10_000;
/** Answers of so many bytes begin in one turn of the event loop: requests that came together, and share a read, go on together. */
const BYTES_IN_TURN = 4_194_304;

const semaphore = new WeightedSemaphore({ total: MEMORY_BYTES, each: MEMORY_BYTES / 4, waitMs: WAIT_MS });

/** What begins to be sent in the present turn of the event loop. */
class Turn {
  private bytes = 0;

  takes(weight: number): boolean {
    if (this.bytes === 0) setImmediate(() => (this.bytes = 0));
    this.bytes += weight;
    return this.bytes <= BYTES_IN_TURN;
  }
}

const turn = new Turn();

interface Place {
  readonly request: Request;
  readonly response: Response;
  /** Bytes that the answer holds in memory while it is sent. */
  readonly weight: number;
}

/**
 * Sends a long answer as soon as there is memory for it; not at all, if the client has gone meanwhile.
 *
 * @throws {DomainError} `overloaded`: too many long answers are being sent, to this reader or to all
 */
export async function withinAnswerMemory(
  { request, response, weight }: Place,
  send: () => Promise<void>,
): Promise<void> {
  const reader = readerOf(request);
  const permit = semaphore.tryAcquire(reader, weight);
  const leave = permit ?? (await semaphore.acquire(reader, weight));
  try {
    // Clients who leave together give their memory to others of them, which is known after this turn.
    if (!permit || !turn.takes(weight)) await ownTurn();
    if (!response.destroyed) await send();
  } finally {
    leave();
  }
}

/** Who is sent long answers: a caller, or an address as long as it is not known who that is. */
function readerOf(request: Request): string {
  const { caller } = request as ServiceRequest;
  return caller ? `${caller.kind} ${caller.id ?? caller.name}` : `address ${request.ip}`;
}
