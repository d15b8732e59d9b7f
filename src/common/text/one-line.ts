/** Marks of direction that belong to words (U+200E, U+200F, U+061C) and joiners are none of them: names need those. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * Whether a text has control characters, or those that turn the direction of what stands behind them: a name with one of
 * the latter makes a list, a line of a log or a mail read as another one.
 *
 * @see Unicode Standard Annex 9, sections 2.1 to 2.5
 */
export function hasLineControls(text: string): boolean {
  return CONTROLS.test(text);
}
