import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import type { DomainError } from '../../errors/domain-error.js';
import { AnswerMemory } from './answer-memory.js';

const MIB = 1_048_576;

/** An answer to a reader, as far as it is asked. */
function answerTo(ip: string): Response {
  return Object.assign(new EventEmitter(), { req: { ip } }) as unknown as Response;
}

describe('The memory of long answers', () => {
  let memory: AnswerMemory;

  beforeEach(() => {
    memory = new AnswerMemory();
  });

  function refusal(response: Response, bytes: number): DomainError | null {
    try {
      memory.occupy(response, bytes);
      return null;
    } catch (error) {
      return error as DomainError;
    }
  }

  it('has 32 MiB for a reader, until one of its answers is over', () => {
    const first = answerTo('192.0.2.1');
    expect(refusal(first, 20 * MIB)).toBeNull();
    expect(refusal(answerTo('192.0.2.1'), 12 * MIB)).toBeNull();
    expect(refusal(answerTo('192.0.2.1'), 1)).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '1' } });
    expect(refusal(answerTo('192.0.2.2'), MIB)).toBeNull();

    first.emit('close');

    expect(refusal(answerTo('192.0.2.1'), 20 * MIB)).toBeNull();
  });

  it('has room for one answer that is longer, if its reader has no other', () => {
    expect(refusal(answerTo('192.0.2.1'), 33 * MIB)).toBeNull();
    expect(refusal(answerTo('192.0.2.1'), 1)).toMatchObject({ error: 'overloaded' });
    expect(refusal(answerTo('192.0.2.2'), MIB)).toBeNull();
  });

  it('has 128 MiB for all', () => {
    for (let n = 1; n <= 4; n += 1) expect(refusal(answerTo(`192.0.2.${n}`), 32 * MIB)).toBeNull();
    expect(refusal(answerTo('192.0.2.5'), 1)).toMatchObject({ error: 'overloaded' });
  });

  it('counts nothing for a reader that has disconnected', () => {
    const gone = Object.assign(answerTo('192.0.2.1'), { closed: true });
    expect(refusal(gone, 33 * MIB)).toBeNull();
    expect(refusal(answerTo('192.0.2.1'), 32 * MIB)).toBeNull();
  });
});
