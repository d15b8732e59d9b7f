import { excerptParts } from './excerpt-parts.js';

describe('excerptParts', () => {
  it('tells the words that were looked for from the text around them', () => {
    expect(excerptParts('the <mark>Moon</mark> &amp; <mark>Mars</mark>')).toEqual([
      { text: 'the ', isFound: false },
      { text: 'Moon', isFound: true },
      { text: ' & ', isFound: false },
      { text: 'Mars', isFound: true },
    ]);
  });

  it('keeps what looks like HTML as the text that it is', () => {
    expect(excerptParts('&lt;b&gt; &amp;lt;')).toEqual([{ text: '<b> &lt;', isFound: false }]);
  });
});
