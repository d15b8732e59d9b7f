import { nearestWord } from './nearest-word.js';

const known = (...terms: string[]) => terms.map((term) => ({ term, n: 1 }));

describe('the nearest word', () => {
  it.each([
    ['gardne', 'garden', 'letters swapped'],
    ['gaden', 'garden', 'a letter missing'],
    ['gardden', 'garden', 'a letter too many'],
    ['gerden', 'garden', 'another letter'],
    ['lightohuze', 'lighthouse', 'two mistakes in eight letters or more'],
    ['gradne', null, 'two mistakes in fewer'],
    ['lghtohuze', null, 'three mistakes'],
    ['cta', null, 'a word of three letters'],
    ['garden', null, 'the word itself'],
  ])('to %j is %j: %s', (word, expected, _reason) => {
    expect(nearestWord(word, known('garden', 'lighthouse', 'cat'))).toBe(expected);
  });

  it('has the fewest mistakes', () => {
    const words = [...known('lighthouze'), { term: 'lighthoose', n: 1 }, { term: 'lighthearse', n: 99 }];

    expect(nearestWord('lighthouse', words)).toBe('lighthoose');
  });

  it('is the more frequent of two, then the first of the alphabet', () => {
    expect(nearestWord('bard', [...known('barn', 'bark'), { term: 'card', n: 2 }])).toBe('card');
    expect(nearestWord('bard', known('barn', 'bark'))).toBe('bark');
  });

  it('is found among many words', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ term: `lighthouse${n}`, n }));

    expect(nearestWord('lighthuose12345', many)).toBe('lighthouse12345');
  });
});
