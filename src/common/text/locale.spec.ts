import { canonicalLocale } from './locale.js';

describe('canonicalLocale', () => {
  it.each([
    ['en', 'en'],
    ['PT-br', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['en-xx-yy', 'en-xx-yy'],
    ['EN_us', 'en_us'],
    ['', ''],
  ])('makes of "%s" "%s", and of that the same again', (text, canonical) => {
    expect([canonicalLocale(text), canonicalLocale(canonical)]).toEqual([canonical, canonical]);
  });
});
