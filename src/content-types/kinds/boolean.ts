import { defineScalar, taking } from './kind-definition.js';
import { BOOLEANS } from './shared/comparisons.js';
import { readingTexts } from './shared/exchange.js';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', '0', 'off'].map((word) => [word, false] as const),
]);

const fromWord = readingTexts((text) => WORDS.get(text.toLowerCase()) ?? text);

export const booleanKind = defineScalar({
  takes: taking('default', 'indexed'),
  schema: () => ({ type: 'boolean' }),
  comparison: () => BOOLEANS,
  sample: () => true,
  fromCell: fromWord,
  fromValue: fromWord,
});
