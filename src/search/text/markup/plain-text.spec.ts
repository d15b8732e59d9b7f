import fc from 'fast-check';
import { plainText } from './plain-text.js';

describe('the visible text', () => {
  it.each([
    ['<h1>One</h1><p>two <b>th</b>ree</p>four<br>five', 'One\ntwo three\nfour\nfive'],
    ['a &amp; b &lt;c&gt; caf&eacute; &#x41; &nbsp;', 'a & b <c> café A'],
    ['a<script>if (a < b) { "</p>" }</script>b<STYLE>x{}</STYLE>c<!-- no -->d', 'abcd'],
    ['<template><p>no</p></template>yes<noscript>no</noscript>', 'yes'],
    ['<img src="a.png" alt="A caf&eacute;" title="no">', 'A café'],
    ['# Title #1\n\n> quoted\n> again\n\n* one\n- two\n+ three', 'Title #1\nquoted\nagain\none\ntwo\nthree'],
    ['**bold** *it* __b__ _i_ ~~gone~~ un*fri*ed snake_case 2 * 3', 'bold it b i gone un*fri*ed snake_case 2 * 3'],
    ['[text](https://x.y/z "title") ![alt](a.png) [![in](a)](b)', 'text alt in'],
    ['[not a link] (x) [a][b]', '[not a link] (x) [a][b]'],
    ['```ts\nArray<string> && x\n```\nafter <b>x</b>', 'Array<string> && x\nafter x'],
    ['~~~\n<p>\n```\n~~~\n<p>out</p>', '<p>\nout'],
    ['use `Map<K, V>` and C# or C++', 'use Map<K, V> and C# or C++'],
    ['a < b, 1 <2, x<y and <', 'a < b, 1 <2, x<y and <'],
    ['see <https://example.com/a> or <me@example.com>', 'see <https://example.com/a> or <me@example.com>'],
    ['\\*no\\* emphasis', '*no* emphasis'],
    ['| Day | Moon |\n|---|:-:|\n| | 7 | the *half* Moon |\n\nafter | it', 'Day Moon\n7 the half Moon\nafter | it'],
    ['a | b\n- | -\none \\| two | 3\nno table', 'a b\none | two 3\nno table'],
    ['a | b\nor c || d', 'a | b\nor c || d'],
    ['|x|\n|-|\n|y|', 'x\ny'],
    ['---\nabove\n***', 'above'],
    ['', ''],
  ])('of %j is %j', (body, text) => {
    expect(plainText(body)).toBe(text);
  });

  it('is read from anything', () => {
    const parts = [
      '<',
      '>',
      '<p',
      '</',
      '&',
      '&#',
      ';',
      '`',
      '```\n',
      '[',
      '](',
      ')',
      '*',
      '_',
      '#',
      '\n',
      ' ',
      '!',
      '"',
    ];

    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary', maxLength: 4 }))),
        (body) => {
          expect(plainText(body.join('')).length).toBeLessThanOrEqual(body.join('').length * 2);
        },
      ),
    );
  });
});
