const SCHEME = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i;
/** A port is a number: what stands there instead may be a password that was cut off, as at a comma or for want of a host. */
const NO_PORT = /^[^/[\]:]*:(?!\d*(?:[/?#]|$))/;

/** The text of an address for people, whose user and password are hidden: `https://…@cms.example.com`. */
export function withoutUser(text: string): string {
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  // The last one: a password may have an @ that is not encoded.
  if (rest.includes('@')) return `${scheme}…@${rest.slice(rest.lastIndexOf('@') + 1)}`;
  return NO_PORT.test(rest) ? `${scheme}…` : text;
}
