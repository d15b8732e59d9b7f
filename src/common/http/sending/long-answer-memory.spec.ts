import type { Request, Response } from 'express';
import { withinAnswerMemory } from './long-answer-memory.js';

const MIB = 1_048_576;

describe('Long answers that come together', () => {
  it('begin in one turn of the event loop as far as 4 MiB go, the others in turns of their own', async () => {
    const request = { ip: '192.0.2.1' } as Request;
    const response = { destroyed: false } as Response;
    let [turns, begun] = [0, 0];
    const begunIn: number[] = [];
    const send = async (): Promise<void> => {
      begunIn[turns] = (begunIn[turns] ?? 0) + 1;
      begun += 1;
      await Promise.resolve();
    };
    const answers = Array.from({ length: 8 }, () => withinAnswerMemory({ request, response, weight: MIB }, send));
    while (begun < answers.length) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await Promise.all(answers);

    expect(begunIn[0]).toBe(4);
    expect(Math.max(...begunIn.slice(1).filter(Boolean))).toBe(1);
  });
});
