import type { Request, Response } from 'express';
import { ownTurn } from '../../concurrency/own-turn.js';
import type { ServiceRequest } from '../request-context.js';
import { WeightedSemaphore } from './weighted-semaphore.js';

/** Memory of all long answers that are being sent, in bytes; a quarter of it for each reader. */
const MEMORY_BYTES = 134_217_728;
const WAIT_MS = 10_000;

const semaphore = new WeightedSemaphore({ total: MEMORY_BYTES, each: MEMORY_BYTES / 4, waitMs: WAIT_MS });

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
    if (!permit) await ownTurn();
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
