import { partOf } from './search-hits.js';
import { excerpt } from '../text/queries/highlight.js';
import { plainText } from '../text/markup/plain-text.js';
import { parseQuery } from '../text/queries/query.js';

const FILLER = 'Nothing of it is here, only words. ';

describe('The part of a body that an excerpt is made of', () => {
  it('is all of it where it is short', () => {
    expect(partOf('A heron.', parseQuery('heron'))).toBe('A heron.');
    expect(partOf(null, parseQuery('heron'))).toBeNull();
  });

  it('is bounded where it is long, and stands around the first word that was asked for', () => {
    const body = `${FILLER.repeat(30_000)}<p>A **Heron** by the river.</p> ${FILLER.repeat(30_000)}`;

    const part = partOf(body, parseQuery('heron')) ?? '';

    expect(part.length).toBeLessThan(20_000);
    expect(excerpt(plainText(part), parseQuery('heron'))).toContain('<mark>Heron</mark> by the river.');
  });

  it('is the beginning where the words are spelled otherwise', () => {
    const part = partOf(`Beginning. ${FILLER.repeat(30_000)}`, parseQuery('héron'));

    expect(part).toMatch(/^Beginning\./);
  });
});
