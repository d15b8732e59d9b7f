/** Browsers keep no cookie that is longer. */
const MAX_LENGTH = 4_096;

/**
 * The value of a cookie, without decoding. @returns `null`: none, or several, of which a sibling domain may have set one
 * @see RFC 6265, sections 4.2.2, 5.2 and 8.6
 */
export function cookieOf(header: string | undefined, name: string): string | null {
  const start = `${name}=`;
  const [pair, ...others] = (header ?? '')
    .split(';')
    .map(withoutBlanks)
    .filter((part) => part.startsWith(start));
  if (pair === undefined || others.length > 0) return null;
  const value = pair.slice(start.length);
  return value.length <= MAX_LENGTH ? value : null;
}

/** Strips spaces and tabs only, as browsers do: a no-break space before a name takes its `__Host-` prefix away. */
function withoutBlanks(part: string): string {
  let [from, to] = [0, part.length];
  while (from < to && isBlank(part[from])) from += 1;
  while (from < to && isBlank(part[to - 1])) to -= 1;
  return part.slice(from, to);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
