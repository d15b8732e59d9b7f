import { cpuTime } from '../../../test/support/cpu-time.js';
import { nearestWord } from './nearest-word.js';

describe('the nearest word', () => {
  it('is found among many words in little time', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ term: `lighthouse${n}`, n }));

    const started = cpuTime();
    nearestWord('lighthuose12345', many);

    expect(cpuTime() - started).toBeLessThan(10_000);
  });
});
