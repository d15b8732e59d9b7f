/** Browsers keep no cookie that is longer. */
const MAX_LENGTH = 4_096;

/**
 * The value of a cookie in a `Cookie` header, without decoding.
 *
 * @returns `null`: there is none, or several have the name. A page of a sibling domain can put one beside ours, in
 * whichever order, and nothing tells which of them we have set.
 * @see RFC 6265, sections 4.2.2 and 8.6
 */
export function cookieOf(header: string | undefined, name: string): string | null {
  const start = `${name}=`;
  const [pair, ...others] = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  if (pair === undefined || others.length > 0) return null;
  const value = pair.slice(start.length);
  return value.length <= MAX_LENGTH ? value : null;
}
