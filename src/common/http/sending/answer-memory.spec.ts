import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import type { DomainError } from '../../errors/domain-error.js';
import { occupyMemory } from './answer-memory.js';

const MIB = 1_048_576;

/** An answer to a reader, as far as it is asked. */
function answerTo(ip: string): Response {
  return Object.assign(new EventEmitter(), { req: { ip } }) as unknown as Response;
}

function refusal(response: Response, bytes: number): DomainError | null {
  try {
    occupyMemory(response, bytes);
    return null;
  } catch (error) {
    return error as DomainError;
  }
}

describe('The memory of long answers', () => {
  it('has 32 MiB for a reader, until one of its answers is over', () => {
    const first = answerTo('192.0.2.1');
    expect(refusal(first, 20 * MIB)).toBeNull();
    expect(refusal(answerTo('192.0.2.1'), 12 * MIB)).toBeNull();
    expect(refusal(answerTo('192.0.2.1'), 1)).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '1' } });
    expect(refusal(answerTo('192.0.2.2'), MIB)).toBeNull();

    first.emit('close');

    expect(refusal(answerTo('192.0.2.1'), 20 * MIB)).toBeNull();
  });

  it('has 128 MiB for all', () => {
    // The readers above still have theirs.
    for (let n = 3; n < 6; n += 1) {
      const own = answerTo(`192.0.2.${n}`);
      expect(refusal(own, (n < 5 ? 32 : 31) * MIB)).toBeNull();
    }
    expect(refusal(answerTo('192.0.2.6'), MIB)).toMatchObject({ error: 'overloaded' });
  });
});
