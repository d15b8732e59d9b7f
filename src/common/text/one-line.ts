/** Marks of direction that belong to words (U+200E, U+200F, U+061C) and joiners are none of them: names need those. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const OVERRIDES = /[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/**
 * True if a text has control characters, separators of lines, or characters that turn the direction of text: a name with one
 * makes a list, a line of a log or a mail read as another one.
 * @see Unicode Standard Annex 9, sections 2.1 to 2.5; Annex 14, class BK
 */
export function hasLineControls(text: string): boolean {
  return CONTROLS.test(text);
}

/** True if a text has characters of {@link hasLineControls} that are no control characters. */
export function hasOverrides(text: string): boolean {
  return OVERRIDES.test(text);
}
