import { indexText } from '../analysis/analyzer.js';
import { plainText } from '../markup/plain-text.js';

/** A text of a record. */
export interface TextPart {
  readonly text: string;
  /** Whether it is Markdown or HTML. */
  readonly isMarked: boolean;
}

/** The parts as a reader sees them, one below the other. */
export function readable(parts: readonly TextPart[]): string {
  return parts
    .map(({ text, isMarked }) => (isMarked ? plainText(text) : text))
    .join('\n')
    .trim();
}

/** The terms by which the parts are found. */
export function documentTerms(parts: readonly TextPart[]): string {
  return indexText(readable(parts));
}
