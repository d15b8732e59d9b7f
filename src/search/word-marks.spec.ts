import { WordMarks } from './word-marks.js';

describe('Marks of words', () => {
  const told = (marks: WordMarks, text: string): string[] => {
    const words: string[] = [];
    marks.mark(text, 4, (word) => words.push(word));
    return words;
  };

  it('tell each word the first time, the last one of a text too', () => {
    const marks = new WordMarks();

    expect(told(marks, 'alpha beta alpha gamma')).toEqual(['alpha', 'beta', 'gamma']);
    expect(told(marks, 'gamma delta')).toEqual(['delta']);
  });

  it('pass over short words and the lack of any', () => {
    const marks = new WordMarks();

    expect(told(marks, 'one two___ three')).toEqual(['two___', 'three']);
    expect(told(marks, '')).toEqual([]);
  });

  it('tell all of them again once they are cleared', () => {
    const marks = new WordMarks();
    told(marks, 'alpha beta');
    marks.clear();

    expect(told(marks, 'alpha beta')).toEqual(['alpha', 'beta']);
  });

  it('take no word for another one, and remember most', () => {
    const marks = new WordMarks();
    const words = Array.from({ length: 10_000 }, (_, n) => `${n.toString(36)}žluť${(n * 7_919).toString(36)}`);

    expect(told(marks, words.join(' '))).toEqual(words);
    expect(told(marks, words.join(' ')).length).toBeLessThan(5_000);
  });
});
