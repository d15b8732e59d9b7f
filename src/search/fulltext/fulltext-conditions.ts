import type { Status } from '../../content-types/definition/content-type.js';
import { placeholders, joined, type Sql } from '../../database/statements/statement.js';
import type { SearchedType } from '../search-index.js';
import type { Clause, SearchQuery } from '../text/queries/query.js';
import { COLUMN_WEIGHTS, countedPhrases, LENGTH_SHARE, SATURATION, USUAL_LENGTH } from '../text/queries/relevance.js';
import { withoutStopWords } from '../text/analysis/stop-words.js';

/** Any of the texts must stand in a column of terms, or none of them may. */
interface Adjacency {
  readonly texts: readonly string[];
  readonly isExcluded: boolean;
}

/**
 * The expression for `AGAINST (... IN BOOLEAN MODE)` of InnoDB, empty where nothing can match. Terms are letters, digits
 * and underscores only, so nothing of what a user typed can act as an operator.
 *
 * InnoDB knows no phrase that ends with the beginning of a word. Here the terms of a phrase are merely all asked for;
 * {@link adjacencies} says what must hold besides.
 */
export function toBooleanMode({ clauses, excluded, isEmpty }: SearchQuery): string {
  if (isEmpty) return '';
  const unwanted = excluded.filter(isExact).map((clause) => `-${expression(clause)}`);
  return [...clauses.map((clause) => `+${expression(clause)}`), ...unwanted].join(' ');
}

/**
 * Patterns that a row must satisfy besides {@link toBooleanMode}: `CONCAT(' ', column, ' ')` of some column has one of the
 * texts, or none has. Without phrases there is nothing to ask.
 */
export function adjacencies({ clauses, excluded }: SearchQuery): Adjacency[] {
  const of = (list: readonly Clause[], isExcluded: boolean) =>
    list.filter((clause) => !isExact(clause)).map((clause) => ({ texts: spelledTexts(clause), isExcluded }));
  return [...of(clauses, false), ...of(excluded, true)];
}

/** Texts that a clause looks for in a document. The beginning of a word, with which a text may end, is no stop word. */
function spelledTexts(clause: Clause): string[] {
  return runningTexts(clause).map((text) => {
    const last = text.lastIndexOf(' ');
    return withoutStopWords(text.slice(0, last)) + text.slice(last);
  });
}

/** Texts of which a clause looks for one in `' ' + column + ' '`. `' wi_ fi'` finds `wi_ find` as well. */
function runningTexts(clause: Clause): string[] {
  if (clause.kind === 'any') return clause.alternatives.flatMap(runningTexts);
  const terms = clause.kind === 'term' ? clause.term : clause.terms.join(' ');
  return [` ${terms}${clause.isPrefix ? '' : ' '}`];
}

/** Tells whether boolean mode says all of a clause. */
function isExact(clause: Clause): boolean {
  return clause.kind === 'any' ? clause.alternatives.every(isExact) : clause.kind === 'term';
}

function expression(clause: Clause): string {
  switch (clause.kind) {
    case 'term':
      return word(clause.term, clause.isPrefix);
    case 'phrase':
      return `(${clause.terms.map((term, i) => `+${word(term, clause.isPrefix && i === clause.terms.length - 1)}`).join(' ')})`;
    case 'any':
      return `(${clause.alternatives.map(expression).join(' ')})`;
  }
}

function word(term: string, isPrefix: boolean): string {
  return isPrefix ? `${term}*` : withoutStopWords(term);
}

type Column = 'title' | 'terms' | 'body';

const ALL: readonly Column[] = ['title', 'terms', 'body'];
/** Length of a word and the space behind it, in most languages. */
const BYTES_PER_WORD = 6.5;
const USUAL_BYTES = USUAL_LENGTH * BYTES_PER_WORD;
const BYTES = ALL.map((column) => `LENGTH(${column})`).join(' + ');
const DAMPING = `(${SATURATION * (1 - LENGTH_SHARE)}e0 + ${(SATURATION * LENGTH_SHARE) / USUAL_BYTES}e0 * (${BYTES}))`;
const FULLTEXT = 'MATCH (title, terms, body) AGAINST (? IN BOOLEAN MODE)';

/**
 * Relevance of a row by itself, from 0 to 1. The full-text index would weigh words by all rows, hidden ones
 * too. A word that follows itself is counted once for two.
 *
 * @see relevanceOf
 */
export function relevance(query: SearchQuery): Sql {
  const phrases = countedPhrases(query).map((phrase) => {
    const found = joined(spelledTexts(phrase).flatMap(weightedOccurrences), ' + ');
    return { text: `1 - ${DAMPING} / (${DAMPING} + ${found.text})`, values: found.values };
  });
  const { text, values } = joined(phrases, ' + ');
  return { text: `(${text}) / ${phrases.length}e0`, values };
}

function weightedOccurrences(text: string): Sql[] {
  const other = standIn(text);
  const difference = Math.abs(lettersOf(text) - lettersOf(other));
  return ALL.map((column) => {
    const padded = `CONCAT(' ', ${column}, ' ')`;
    const changed = `ABS(CHAR_LENGTH(${padded}) - CHAR_LENGTH(REPLACE(${padded}, ?, ?)))`;
    return { text: `${COLUMN_WEIGHTS[column]}e0 / ${difference} * ${changed}`, values: [text, other] };
  });
}

/**
 * A text of as many bytes and another number of letters. If the sizes differed, servers would move the rest of the document at every
 * occurrence: a tenth of a second for one of a megabyte.
 */
function standIn(text: string): string {
  const bytes = Buffer.byteLength(text);
  return lettersOf(text) === bytes ? `\u00b7${'-'.repeat(bytes - 2)}` : '-'.repeat(bytes);
}

function lettersOf(text: string): number {
  return Array.from(text).length;
}

/** The condition that asks the full-text index. */
export function byIndex(query: SearchQuery): Sql {
  const parts = adjacencies(query).map(({ texts, isExcluded }) => not(isExcluded, holdsAny(texts, ALL)));
  return joined([{ text: FULLTEXT, values: [toBooleanMode(query)] }, ...parts], ' AND ');
}

/** The same condition, asked of the row itself: for words of so many rows that looking is faster than the index. */
export function byLooking({ clauses, excluded }: SearchQuery): Sql {
  const parts = [
    ...clauses.map((clause) => holdsAny(spelledTexts(clause), ALL)),
    ...excluded.map((clause) => not(true, holdsAny(spelledTexts(clause), ALL))),
  ];
  return joined(parts, ' AND ');
}

/** Number of clauses that a column answers. */
export function answered(clauses: readonly Clause[], column: Column): Sql {
  return joined(
    clauses.map((clause) => holdsAny(spelledTexts(clause), [column])),
    ' + ',
  );
}

/** Rows that may be seen; one condition for all types with the same statuses. */
export function visible(within: readonly SearchedType[]): Sql {
  const groups = new Map<string, { statuses: readonly Status[]; typeIds: number[] }>();
  for (const { typeId, statuses } of within) {
    const key = statuses.join();
    const group = groups.get(key) ?? { statuses, typeIds: [] };
    groups.set(key, { statuses, typeIds: [...group.typeIds, typeId] });
  }
  const parts = [...groups.values()].map(({ statuses, typeIds }) => ({
    text: `(status IN (${placeholders(statuses)}) AND type_id IN (${placeholders(typeIds)}))`,
    values: [...statuses, ...typeIds],
  }));
  const { text, values } = joined(parts, ' OR ');
  return { text: `(${text})`, values };
}

function holdsAny(texts: readonly string[], columns: readonly Column[]): Sql {
  const parts = columns.flatMap((column) =>
    texts.map((text) => ({ text: `INSTR(CONCAT(' ', ${column}, ' '), ?) > 0`, values: [text] })),
  );
  const { text, values } = joined(parts, ' OR ');
  return { text: `(${text})`, values };
}

function not(isNegated: boolean, { text, values }: Sql): Sql {
  return { text: isNegated ? `NOT ${text}` : text, values };
}
