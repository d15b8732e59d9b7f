import { adjacencies, toBooleanMode } from '../../fulltext/fulltext-conditions.js';
import { parseQuery } from '../queries/query.js';
import { withoutStopWords } from './stop-words.js';

describe('Words that InnoDB leaves out', () => {
  it('are spelled as others, where they are whole words', () => {
    expect(withoutStopWords('the about theatre with www')).toBe('the_ about_ theatre with_ www_');
    expect(withoutStopWords(' the the ')).toBe(' the_ the_ ');
    expect(withoutStopWords('abouts whom')).toBe('abouts whom');
  });

  it('are asked for as they are spelled, unless they are the beginning of a word', () => {
    expect(toBooleanMode(parseQuery('"about" -with heron'))).toBe('+about_ +heron* -with_');
    expect(toBooleanMode(parseQuery('"lost the way"'))).toBe('+(+lost +the_ +way)');
    expect(toBooleanMode(parseQuery('about'))).toBe('+about*');
    expect(adjacencies(parseQuery('"lost the way"'))).toEqual([{ texts: [' lost the_ way '], isExcluded: false }]);
  });
});
