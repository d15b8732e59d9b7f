import fc from 'fast-check';
import { anyText } from '../../../../test/support/texts.js';
import { excerpt, highlight } from './highlight.js';
import { parseQuery } from './query.js';

const ESCAPES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const toText = (html: string) =>
  html.replace(/<\/?mark>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ESCAPES[entity] ?? '');

describe('a highlighted title', () => {
  it.each([
    ['Čas a práce', 'cas prac', '<mark>Čas</mark> a <mark>práce</mark>'],
    ['cafe\u0301 crème', 'café', '<mark>cafe\u0301</mark> crème'],
    ['全文検索エンジン', '検索エンジン', '全文<mark>検索エンジン</mark>'],
    ['今日の天気', '天', '今日の<mark>天</mark>気'],
    ['今日の天気', '気', '今日の天<mark>気</mark>'],
    ['𠮷野家', '𠮷', '<mark>𠮷</mark>野家'],
    ["O'Reilly", 'oreilly', '<mark>O&#39;Reilly</mark>'],
    ["O'Reilly", 'reilly', 'O&#39;<mark>Reilly</mark>'],
    ['Wi-Fi and wi', 'wi-fi', '<mark>Wi-Fi</mark> and wi'],
    ['Modern C++ & C', 'c++', 'Modern <mark>C++</mark> &amp; C'],
    ['<b>bold</b> "x"', 'bold', '&lt;b&gt;<mark>bold</mark>&lt;/b&gt; &quot;x&quot;'],
    ['state of the art', '"state of the art"', '<mark>state of the art</mark>'],
    ['draft garden', 'garden -draft', 'draft <mark>garden</mark>'],
    ['nothing here', 'garden', 'nothing here'],
  ])('of %j by %j is %j', (title, q, html) => {
    expect(highlight(title, parseQuery(q))).toBe(html);
  });

  it('is the title again without its marks', () => {
    fc.assert(
      fc.property(anyText, anyText, (title, q) => {
        const html = highlight(title, parseQuery(q));

        expect(toText(html)).toBe(title.replace(/\s+/g, ' '));
        expect(html.replace(/<\/?mark>/g, '')).not.toMatch(/[<>"']/);
      }),
    );
  });
});

describe('an excerpt', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(40);

  it('is the part with the most of what was searched for', () => {
    const text = `${filler}garden ${filler}garden with roses ${filler}`;

    const html = excerpt(text, parseQuery('garden roses'));

    expect(html).toContain('<mark>garden</mark> with <mark>roses</mark>');
    expect(html).toMatch(/^…\w+ .* \w+…$/);
    expect(toText(html).length).toBeLessThanOrEqual(202);
  });

  it('is the beginning where nothing is found', () => {
    expect(excerpt(filler, parseQuery('garden'), 20)).toBe('lorem ipsum dolor…');
  });

  it('of a short text is all of it', () => {
    expect(excerpt('A garden.', parseQuery('garden'))).toBe('A <mark>garden</mark>.');
  });

  it('splits no character of two units and yields no foreign markup', () => {
    const aText = fc.array(fc.constantFrom('𠮷', '👩‍💻', '<b>', '&', 'word ', '検', "'", 'O’R ', '"'), { maxLength: 80 });

    fc.assert(
      fc.property(aText, fc.nat({ max: 60 }), (parts, length) => {
        const html = excerpt(parts.join(''), parseQuery('word 𠮷'), length);

        expect(html.isWellFormed()).toBe(true);
        expect(html.replace(/<\/?mark>/g, '')).not.toMatch(/[<>"']/);
        expect(html.split('<mark>').length).toBe(html.split('</mark>').length);
      }),
    );
  });
});
