import type { Response } from 'express';
import { overloaded } from '../../errors/overloaded.js';
import { callerKey } from '../../access/caller.js';
import type { ServiceRequest } from '../request-context.js';

/** Bytes for all long answers; a quarter of it for each reader, or one answer that is longer. */
const MEMORY_BYTES = 134_217_728;
const EACH_BYTES = MEMORY_BYTES / 4;

export class AnswerMemory {
  private readonly held = new Map<string, number>();
  private total = 0;

  /**
   * Occupies memory for a long answer until its reader has received it, or has disconnected.
   * @throws {DomainError} `overloaded`: too much is on its way, to this reader or to all
   */
  occupy(response: Response, bytes: number): void {
    // A reader that has disconnected already is sent nothing, and no event says so once more.
    if (response.closed) return;
    const { caller, ip } = response.req as ServiceRequest;
    const reader = caller ? callerKey(caller) : `address ${ip}`;
    const own = this.held.get(reader) ?? 0;
    if ((own > 0 && own + bytes > EACH_BYTES) || (this.total > 0 && this.total + bytes > MEMORY_BYTES)) {
      throw overloaded('Too many long answers are on their way.');
    }
    this.add(reader, bytes);
    response.once('close', () => {
      this.add(reader, -bytes);
    });
  }

  private add(reader: string, bytes: number): void {
    const sum = (this.held.get(reader) ?? 0) + bytes;
    this.total += bytes;
    if (sum === 0) this.held.delete(reader);
    else this.held.set(reader, sum);
  }
}

/** The memory that all answers of this process share. */
export const answerMemory = new AnswerMemory();
