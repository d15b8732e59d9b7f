import { runningTexts } from '../queries/matches.js';
import type { Clause, SearchQuery } from '../queries/query.js';
import { isStopWord, withoutStopWords } from './stop-words.js';

/** Any of the texts must stand in a column of terms, or none of them may. */
export interface Adjacency {
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
 * What a row must satisfy besides {@link toBooleanMode}: that `CONCAT(' ', column, ' ')` of some column has one of the
 * texts, or none has. Without phrases there is nothing to ask.
 */
export function adjacencies({ clauses, excluded }: SearchQuery): Adjacency[] {
  const of = (list: readonly Clause[], isExcluded: boolean) =>
    list.filter((clause) => !isExact(clause)).map((clause) => ({ texts: spelledTexts(clause), isExcluded }));
  return [...of(clauses, false), ...of(excluded, true)];
}

/** What a clause looks for, in documents as they are written now and as they were written before stop words were none. */
export function spelledTexts(clause: Clause): string[] {
  return [...new Set(runningTexts(clause).flatMap((text) => [withoutStopWords(text), text]))];
}

/** Whether boolean mode says all of it. */
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
  if (isPrefix) return `${term}*`;
  return isStopWord(term) ? `(${withoutStopWords(term)} ${term})` : term;
}
