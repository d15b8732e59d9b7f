import fc from 'fast-check';
import { anyText } from '../../../../test/support/texts.js';
import { termsOf } from '../../../../test/support/terms.js';
import { analyze } from '../analysis/analyzer.js';
import { toFts5 } from '../analysis/fts5.js';
import { adjacencies, toBooleanMode } from '../../fulltext/fulltext-conditions.js';
import { matches } from '../../../../test/support/search-fixture.js';
import { parseQuery } from './query.js';

describe('a query', () => {
  it.each([
    ['stone', '"stone" *', '+stone*'],
    ['rolling st', '"rolling" AND "st" *', '+rolling +st*'],
    ['"st"', '"st_"', '+st_'],
    ['c++', '"c_p_p"', '+c_p_p'],
    ['wi-fi sto', '("wi_ fi_" OR "wifi") AND "sto" *', '+((+wi_ +fi_) wifi) +sto*'],
    ['v20.11', '("v__ 20_ 11" * OR "20_ 11" *)', '+((+v__ +20_ +11*) (+20_ +11*))'],
    ['v20', '("v__ 20" * OR "v20" *)', '+((+v__ +20*) v20*)'],
    ['user@example.com', '"user example com" *', '+(+user +example +com*)'],
    ["O'Reilly", '("o__ reilly" * OR "oreilly" *)', '+((+o__ +reilly*) oreilly*)'],
    ['天', '"天" *', '+天*'],
    ['天気', '"天気_"', '+天気_'],
    ['garden -draft', '("garden") NOT ("draft")', '+garden -draft'],
    ['garden -"a b" roses', '("garden" AND "roses" *) NOT ("a__ b__")', '+garden +roses*'],
    ['garden -', '"garden" *', '+garden*'],
    ['"garden', '"garden" *', '+garden*'],
    ['--force', '"force" *', '+force*'],
    ['a a a', '"a__" AND "a" *', '+a__ +a*'],
    ['-draft', '""', ''],
    ['🎉 "" -', '""', ''],
  ])('%j is %j to FTS5 and %j to InnoDB', (q, fts5, booleanMode) => {
    const query = parseQuery(q);

    expect([toFts5(query), toBooleanMode(query)]).toEqual([fts5, booleanMode]);
  });

  it('says what InnoDB must check besides', () => {
    expect(adjacencies(parseQuery('plain -gone "to be" -x-y l\'a'))).toEqual([
      { texts: [' to_ be_ '], isExcluded: false },
      { texts: [' l__ a', ' la'], isExcluded: false },
      { texts: [' x__ y__ ', ' xy_ '], isExcluded: true },
    ]);
  });

  it('of words of a text finds the text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, n) => {
        const words = text.split(/[\s"]+/).filter((word) => !word.startsWith('-') && analyze(word).length > 0);
        const word = words[n % words.length];
        fc.pre(word !== undefined);

        expect(matches(parseQuery(word), [termsOf(text)])).toBe(true);
      }),
    );
  });

  it('of the beginning of a word finds the word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zà-öø-ž]{1,90}$/), fc.nat(), (word, n) => {
        const beginning = word.slice(0, 1 + (n % word.length));

        expect(matches(parseQuery(beginning), [termsOf(`before ${word} after`)])).toBe(true);
      }),
    );
  });

  it('of neighbours in quotes finds the text, and nothing where they are excluded', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z天気검색]{1,6}$/), { minLength: 3, maxLength: 8 }), (words) => {
        const columns = [termsOf(words.join(' '))];
        const phrase = `"${words.slice(1, 3).join(' ')}"`;

        expect(matches(parseQuery(phrase), columns)).toBe(true);
        expect(matches(parseQuery(`${words.join(' ')} -${phrase}`), columns)).toBe(false);
      }),
    );
  });

  it('never lets more than letters, digits and underscores through to an engine', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 40 })), (q) => {
        const query = parseQuery(q);
        const words = toBooleanMode(query).replace(/[+\-()]+|\*(?=[ )]|$)/g, ' ');

        expect(words).toMatch(/^[\p{L}\p{N}_ ]*$/u);
        expect(toFts5(query)).toMatch(/^(?:"[\p{L}\p{N}_ ]*"|[() *]| AND | OR | NOT )*$/u);
      }),
    );
  });
});
