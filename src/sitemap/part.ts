/**
 * URLs in one file of the sitemap; the protocol allows 50,000 and 50 MB.
 * Parts are ranges of as many record ids: none can ever hold too many, and a new record touches only the last one.
 */
export const PART_SIZE = 45_000;

/** The part that a record belongs to, from 1. */
export function partOf(recordId: number): number {
  return Math.floor((recordId - 1) / PART_SIZE) + 1;
}

/** The smallest record id of a part. */
export function firstIdOf(part: number): number {
  return (part - 1) * PART_SIZE + 1;
}
