import type { Response } from 'express';
import { overloaded } from '../../errors/overloaded.js';
import { callerKey } from '../../access/caller.js';
import type { ServiceRequest } from '../request-context.js';

/** Of all long answers that are being sent, in bytes; a quarter of it for each reader. */
const MEMORY_BYTES = 134_217_728;
const EACH_BYTES = MEMORY_BYTES / 4;

const held = new Map<string, number>();
let total = 0;

/**
 * Occupies memory for a long answer until its reader has received it, or has disconnected.
 *
 * @param bytes that the answer holds in memory while it is sent
 * @throws {DomainError} `overloaded`: too much is on its way, to this reader or to all
 */
export function occupyMemory(response: Response, bytes: number): void {
  const reader = readerOf(response.req as ServiceRequest);
  const own = held.get(reader) ?? 0;
  if (own + bytes > EACH_BYTES || total + bytes > MEMORY_BYTES) {
    throw overloaded('Too many long answers are on their way.');
  }
  add(reader, bytes);
  response.once('close', () => {
    add(reader, -bytes);
  });
}

function add(reader: string, bytes: number): void {
  const sum = (held.get(reader) ?? 0) + bytes;
  total += bytes;
  if (sum === 0) held.delete(reader);
  else held.set(reader, sum);
}

/** Who is sent long answers: a caller, or an address as long as it is not known who that is. */
function readerOf({ caller, ip }: ServiceRequest): string {
  return caller ? callerKey(caller) : `address ${ip}`;
}
