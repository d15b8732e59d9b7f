import { LENGTH_SHARE, SATURATION } from '../text/queries/relevance.js';

/**
 * How often a word stands in a document, out of what `bm25` of FTS5 says of it. For one word that is
 * `idf * (k1 + 1) * n / (n + k1 * (1 - b + b * length / average))`, where `idf` and the average depend on all documents
 * of the index. Divided by the same with endlessly many occurrences it no longer has an `idf`; with the average that
 * was used, `n` is what remains.
 *
 * @param share of what it would be with endlessly many occurrences
 * @param relativeLength of the document, by the average of all
 * @see https://www.sqlite.org/fts5.html#the_bm25_function
 */
export function weightedOccurrences(share: number, relativeLength: number): number {
  const damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relativeLength);
  // Weights are whole, so what lies beside a whole number is an error of computing.
  return Math.round((damping * share) / (1 - share));
}
