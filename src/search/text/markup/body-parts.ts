import type { SearchQuery } from '../queries/query.js';
import { rawSpans } from './raw-spans.js';

/** To find words in more than that as a reader would see them takes too long for a page of hits. */
const WHOLE = 32_768;
const PART = 16_384;

/**
 * So much of a body as an excerpt is made of: all of it, or of a long one what stands around the first word of the
 * query, or else its beginning. A part may begin within a tag or a mark, of which little is seen.
 */
export function partOf(body: string | null, query: SearchQuery): string | null {
  if (body === null || body.length <= WHOLE) return body;
  const [first] = rawSpans(body, query, 1);
  const start = Math.max(0, (first?.start ?? 0) - PART / 2);
  return body.slice(start, start + PART).toWellFormed();
}
