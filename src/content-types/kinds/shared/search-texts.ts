/** A text that a record is found by. */
export interface SearchText {
  readonly text: string;
  /** Whether it is Markdown or HTML. */
  readonly isMarked: boolean;
}

/** A text, or each item of a list. */
export function plainTexts(value: unknown): readonly SearchText[] {
  if (Array.isArray(value)) return value.map((item) => ({ text: String(item), isMarked: false }));
  return typeof value === 'string' ? [{ text: value, isMarked: false }] : [];
}

export function markedTexts(value: unknown): readonly SearchText[] {
  return typeof value === 'string' ? [{ text: value, isMarked: true }] : [];
}
