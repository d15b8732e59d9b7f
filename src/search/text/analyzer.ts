import { Scanner } from './scanner.js';
import type { Token } from './token.js';
import { toTerm, withoutPadding } from './term.js';

/** Only ever between a text and the joined forms behind it, so that no phrase reaches from one to the other. */
const GAP = '___';

/** `'Čas & Práce'` -> `cas`, `prace`; `'検索'` -> `検索_`, `索__`; `'C++'` -> `c_p_p`. In the order of the text. */
export function analyze(text: string): Token[] {
  return new Scanner(text).scan();
}

/**
 * The terms of a text as one string for a full-text column: the running text, then the joined forms of words with an
 * apostrophe (`oreilly`), so that phrases stay adjacent.
 */
export function indexText(text: string): string {
  const tokens = analyze(text);
  const terms = tokens.map(({ term }) => term);
  for (const { term } of joinedForms(tokens)) terms.push(GAP, term);
  return terms.join(' ');
}

/** `O'Reilly` as the one word `oreilly`, for every word of the text with an apostrophe. */
export function joinedForms(tokens: readonly Token[]): Token[] {
  const forms: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const parts = [tokens[i]];
    while (tokens[i + 1]?.kind === 'joined') parts.push(tokens[++i]);
    const form = joinedForm(parts.filter((part) => part !== undefined));
    if (form) forms.push(form);
  }
  return forms;
}

function joinedForm(parts: readonly Token[]): Token | null {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || parts.length === 1) return null;
  const term = toTerm(parts.map((part) => withoutPadding(part.term)).join(''));
  return { term, start: first.start, end: last.end, kind: 'word' };
}
