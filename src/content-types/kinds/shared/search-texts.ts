/** A text that a record is found by. */
export interface SearchText {
  readonly text: string;
  /** True if it is Markdown or HTML. */
  readonly isMarked: boolean;
}

/** A text, or each item of a list. What is no value, as another program may have put one there, is found by nothing. */
export function plainTexts(value: unknown): readonly SearchText[] {
  if (!Array.isArray(value)) return typeof value === 'string' ? [{ text: value, isMarked: false }] : [];
  return value.filter((item) => typeof item !== 'object').map((item) => ({ text: String(item), isMarked: false }));
}

export function markedTexts(value: unknown): readonly SearchText[] {
  return typeof value === 'string' ? [{ text: value, isMarked: true }] : [];
}
