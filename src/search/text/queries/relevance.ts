import type { Clause, PhraseClause, SearchQuery, TermClause } from './query.js';

/** `k1` and `b` of BM25, which FTS5 does not let be chosen. */
export const SATURATION = 1.2;
export const LENGTH_SHARE = 0.75;
/** Words of a document of usual length. An average of documents would say something of hidden ones. */
export const USUAL_LENGTH = 300;
/** Weights of an occurrence in each column. */
export const COLUMN_WEIGHTS = { title: 10, terms: 4, body: 1 } as const;
/** Most parts of a query whose occurrences in a record are counted. */
export const MOST_CLAUSES = 16;

/**
 * Share of a word in the relevance of a document, from 0 to 1: more occurrences in a shorter text make more of it, and
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

/** The words and phrases of a clause, one of which has to match. */
export function phrasesOf(clause: Clause): (TermClause | PhraseClause)[] {
  return clause.kind === 'any' ? clause.alternatives.flatMap(phrasesOf) : [clause];
}

/** Quality of a hit as an answer to a query. */
interface Answered {
  /** Number of parts of the query that stand in its title. */
  readonly inTitle: number;
  /** Number of parts that stand in the names of its terms. */
  readonly inTerms: number;
  /** Frequency of the parts in it, from 0 to 1. */
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
