/**
 * - `word`: a word of its own; `joined`: a word that is tied to the one before (`Reilly` of `O'Reilly`, `mail` of `e-mail`, `20` of `v20`);
 * - `pair`: two neighbours of a text without spaces; `tail`: the last character of such a text.
 */
export type TokenKind = 'word' | 'joined' | 'pair' | 'tail';

/** A term of the index, and where in the text it stands (UTF-16 units, end not included). */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
}
