const MARKS = /\p{M}+/gu;

/** A text as people compare it: without case and without marks. `'Čas & Práce'` -> `'cas & prace'` */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase();
}

/** At most so many code points of a text, without a trailing space that some databases would ignore. */
export function head(text: string, length: number): string {
  const cut =
    text.length <= length
      ? text
      : Array.from(text.slice(0, length * 2))
          .slice(0, length)
          .join('');
  return cut.trimEnd();
}
