import { WordFilter } from './known-words.js';

describe('Marks of words', () => {
  const newWords = (marks: WordFilter, text: string): string[] => {
    const words: string[] = [];
    marks.mark(text, 4, (word) => words.push(word));
    return words;
  };

  it('report each word the first time, the last one of a text too', () => {
    const marks = new WordFilter();

    expect(newWords(marks, 'alpha beta alpha gamma')).toEqual(['alpha', 'beta', 'gamma']);
    expect(newWords(marks, 'gamma delta')).toEqual(['delta']);
  });

  it('pass over short words and the lack of any', () => {
    const marks = new WordFilter();

    expect(newWords(marks, 'one two___ three')).toEqual(['two___', 'three']);
    expect(newWords(marks, '')).toEqual([]);
  });

  it('report all of them again once they are cleared', () => {
    const marks = new WordFilter();
    newWords(marks, 'alpha beta');
    marks.clear();

    expect(newWords(marks, 'alpha beta')).toEqual(['alpha', 'beta']);
  });

  it('take no word for another one, and remember most', () => {
    const marks = new WordFilter();
    const words = Array.from({ length: 10_000 }, (_, n) => `${n.toString(36)}žluť${(n * 7_919).toString(36)}`);

    expect(newWords(marks, words.join(' '))).toEqual(words);
    expect(newWords(marks, words.join(' ')).length).toBeLessThan(5_000);
  });
});
