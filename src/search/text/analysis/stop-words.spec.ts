import { toBooleanMode } from '../../fulltext/fulltext-conditions.js';
import { parseQuery } from '../queries/query.js';
import { withoutStopWords, withStopWords } from './stop-words.js';

describe('Words that InnoDB leaves out', () => {
  it('are spelled as others, where they are whole words', () => {
    expect(withoutStopWords('the about theatre with www')).toBe('the_ about_ theatre with_ www_');
    expect(withoutStopWords(' the the ')).toBe(' the_ the_ ');
    expect(withoutStopWords('abouts whom')).toBe('abouts whom');
  });

  it('are spelled as they were where another engine finds them', () => {
    const terms = 'the about theatre with www it_ f_s c_p_p';

    expect(withStopWords(withoutStopWords(terms))).toBe(terms);
    expect(withStopWords(terms)).toBe(terms);
  });

  it('are asked for in both spellings, as long as there are documents of both', () => {
    expect(toBooleanMode(parseQuery('"about" -with heron'))).toBe('+(about_ about) +heron* -(with_ with)');
    expect(toBooleanMode(parseQuery('"lost the way"'))).toBe('+(+lost +(the_ the) +way)');
  });
});
