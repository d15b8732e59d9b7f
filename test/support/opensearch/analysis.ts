import { membersOf, refuse, type Json } from './refusal.js';

/** Where each term of a text stands, by its words. */
export interface AnalyzedText {
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Its number of words as the index keeps it: exact up to forty, and rounded down above. */
  readonly length: number;
}

export type Analyzer = (text: string) => AnalyzedText;

const FILTERS: Readonly<Record<string, (settings: Json) => (word: string) => string[]>> = {
  edge_ngram: (settings) => {
    const { min_gram: min, max_gram: max } = membersOf(
      settings,
      ['type', 'min_gram', 'max_gram', 'preserve_original', 'side'],
      'edge_ngram',
    ) as { min_gram: number; max_gram: number };
    return (word) => {
      const characters = Array.from(word);
      const lengths = Array.from({ length: Math.min(max, characters.length) }, (_, n) => n + 1);
      return lengths.filter((length) => length >= min).map((length) => characters.slice(0, length).join(''));
    };
  },
};

/** The analyzers of an index, by name. */
export function analyzersOf(analysis: unknown): ReadonlyMap<string, Analyzer> {
  const { filter = {}, analyzer = {} } = membersOf(analysis ?? {}, ['filter', 'analyzer'], 'analysis');
  const filters = new Map(
    Object.entries(filter as Record<string, Json>).map(([name, settings]) => {
      const made = FILTERS[String(settings.type)];
      return [name, made ? made(settings) : refuse('illegal_argument_exception', `Unknown filter [${name}]`)];
    }),
  );
  const own = Object.entries(analyzer as Record<string, Json>).map(([name, settings]): [string, Analyzer] => {
    const { type, tokenizer, filter: names = [] } = membersOf(settings, ['type', 'tokenizer', 'filter'], name);
    if (type !== 'custom' || tokenizer !== 'whitespace')
      return refuse('illegal_argument_exception', `The double has no analyzer [${name}] of that kind`);
    const steps = (names as string[]).map(
      (step) => filters.get(step) ?? refuse('illegal_argument_exception', `Unknown filter [${step}]`),
    );
    return [name, (text) => analyzed(text, (word) => steps.reduce((words, step) => words.flatMap(step), [word]))];
  });
  return new Map<string, Analyzer>([['whitespace', (text) => analyzed(text, (word) => [word])], ...own]);
}

function analyzed(text: string, termsOf: (word: string) => readonly string[]): AnalyzedText {
  const places = new Map<string, number[]>();
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const [place, word] of words.entries()) {
    for (const term of termsOf(word)) places.set(term, [...(places.get(term) ?? []), place]);
  }
  return { places, length: keptLength(words.length) };
}

/** What is left of a length in the one byte that Lucene keeps of it: `SmallFloat.byte4ToInt(intToByte4(n))`. */
function keptLength(words: number): number {
  const exact = 24;
  if (words < exact) return words;
  const rest = words - exact;
  const bits = 32 - Math.clz32(rest);
  const dropped = Math.max(0, bits - 4);
  return exact + (rest >> dropped) * 2 ** dropped;
}
