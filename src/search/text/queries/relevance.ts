import type { Clause, PhraseClause, SearchQuery, TermClause } from './query.js';

/** `k1` and `b` of BM25, which FTS5 does not let be chosen. */
export const SATURATION = 1.2;
export const LENGTH_SHARE = 0.75;
/** Words of a document of usual length. An average of documents would say something of hidden ones. */
export const USUAL_LENGTH = 300;
/** What an occurrence weighs in each column. */
export const COLUMN_WEIGHTS = { title: 10, terms: 4, body: 1 } as const;
/** Of more parts of a query it is not looked how often each of them stands in a record. */
export const MOST_CLAUSES = 16;

/**
 * What a word adds to the relevance of a document, from 0 to 1: more occurrences in a shorter text make more of it, and
 * each further one adds less. Nothing but the document itself is asked (ADR 21).
 *
 * @param weighted occurrences, each with the weight of its column
 * @param length of the document, in words
 */
export function relevanceOf(weighted: number, length: number): number {
  return weighted / (weighted + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / USUAL_LENGTH));
}

/** The words and phrases of a query that make its hits relevant: relevance is the mean of theirs. */
export function countedPhrases({ clauses }: SearchQuery): (TermClause | PhraseClause)[] {
  return clauses.slice(0, MOST_CLAUSES).flatMap(phrasesOf);
}

function phrasesOf(clause: Clause): (TermClause | PhraseClause)[] {
  return clause.kind === 'any' ? clause.alternatives.flatMap(phrasesOf) : [clause];
}

/** How a hit answers a query. */
interface Answered {
  /** How many parts of the query stand in its title. */
  readonly inTitle: number;
  /** How many stand in the names of its terms. */
  readonly inTerms: number;
  /** How often they stand in it, from 0 to 1. */
  readonly relevance: number;
}

/**
 * One number in the order of title, terms and relevance. All three are of the hit alone: what other records say, of
 * which the caller may not see all, changes no score (ADR 21).
 */
export function scoreOf({ inTitle, inTerms, relevance }: Answered, clauses: number): number {
  // A hit with all parts in its terms stays below one with another part in its title.
  return inTitle * (clauses + 2) + inTerms + relevance;
}
