import { phrasesOf } from '../queries/relevance.js';
import { analyze, joinedForms } from '../analysis/analyzer.js';
import type { Clause, SearchQuery } from '../queries/query.js';
import type { Token } from './scanner.js';

/** A place of a text: UTF-16 units, end not included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A place of a text, and the part of the query that it answers. */
export interface Span extends Range {
  readonly needle: number;
}

/** Terms that stand side by side. */
interface Needle {
  readonly terms: readonly string[];
  readonly isPrefix: boolean;
}

/** Enough to choose a part of a text by: a text may be one word, repeated. */
const MOST_SPANS_EACH = 500;
/** Terms that are compared for each part of a query. A phrase may begin at each word of a text and end nowhere. */
const MOST_COMPARISONS_EACH = 50_000;

/** The places of a text that answer a query, in their order; the first ones where there are very many. */
export function findSpans(text: string, { clauses }: Pick<SearchQuery, 'clauses'>): Span[] {
  const needles = needlesOf(clauses);
  const tokens = analyze(text);
  return [...spansOf(tokens, needles), ...spansOf(joinedForms(tokens), needles.filter(isWord))].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
}

function needlesOf(clauses: readonly Clause[]): Needle[] {
  return clauses
    .flatMap(phrasesOf)
    .map((one) => ({ terms: one.kind === 'term' ? [one.term] : one.terms, isPrefix: one.isPrefix }));
}

function isWord({ terms }: Needle): boolean {
  return terms.length === 1;
}

function spansOf(tokens: readonly Token[], needles: readonly Needle[]): Span[] {
  return needles.flatMap((needle, index) =>
    startsOf(tokens, needle).map((at) => ({ ...rangeAt(tokens, at, needle), needle: index })),
  );
}

function startsOf(tokens: readonly Token[], needle: Needle): number[] {
  const { length } = needle.terms;
  const [first = ''] = needle.terms;
  const starts: number[] = [];
  let comparisons = 0;
  for (let at = 0; at + length <= tokens.length; at++) {
    // Most tokens begin with something else, and all of them are passed.
    if (tokens[at]?.term.startsWith(first) !== true) continue;
    if (isAt(tokens, at, needle)) starts.push(at);
    comparisons += length;
    if (comparisons >= MOST_COMPARISONS_EACH || starts.length === MOST_SPANS_EACH) break;
  }
  return starts;
}

function isAt(tokens: readonly Token[], at: number, { terms, isPrefix }: Needle): boolean {
  const last = terms.length - 1;
  return terms.every((term, i) => {
    const known = tokens[at + i]?.term ?? '';
    return isPrefix && i === last ? known.startsWith(term) : known === term;
  });
}

function rangeAt(tokens: readonly Token[], at: number, needle: Needle): { start: number; end: number } {
  const index = at + needle.terms.length - 1;
  return { start: tokens[at]?.start ?? 0, end: endOf(tokens, index, needle.isPrefix) };
}

/** A character alone was found as the first of a pair; the second, with which the next token begins, was not asked for. */
function endOf(tokens: readonly Token[], index: number, isPrefix: boolean): number {
  const last = tokens[index];
  const isHalf = isPrefix && last?.kind === 'pair';
  return (isHalf ? tokens[index + 1]?.start : last?.end) ?? 0;
}

/** Terms that are spelled in a text as in the index, if it has no marks and no upper case. */
const AS_TYPED = /^[a-z0-9]{3,}$/;
/** Enough to choose a part of a text by. */
const MOST_PER_NEEDLE = 50;

/**
 * Places of the words of a query as they were typed, in capitals or not: found in a fraction of the time that
 * `findSpans` takes, but not every other spelling, and beginnings of longer words too.
 */
export function rawSpans(text: string, { clauses }: Pick<SearchQuery, 'clauses'>, most = MOST_PER_NEEDLE): Span[] {
  const spans = needlesOf(clauses).flatMap(({ terms }, needle) => {
    const [first = ''] = terms;
    return AS_TYPED.test(first)
      ? typedAt(text, first, most).map((start) => ({ start, end: start + first.length, needle }))
      : [];
  });
  return spans.sort((a, b) => a.start - b.start || a.end - b.end);
}

function typedAt(text: string, term: string, most: number): number[] {
  const starts: number[] = [];
  // Letters and digits only, so nothing in it is an operator.
  for (const { index } of text.matchAll(new RegExp(`(?<![a-z0-9])${term}`, 'gi'))) {
    if (starts.push(index) === most) break;
  }
  return starts;
}
